import { Link } from "react-router";

import classes from "@/features/training/training.module.css";
import { visibleText } from "@/lib/visibleText";

/** A name that a person chose, linked to what it names. */
export function NameLink({ to, name }: { to: string; name: string }) {
  const shown = visibleText(name);
  return (
    <Link className={`ts-truncate ${classes.name}`} to={to} title={shown}>
      {shown}
    </Link>
  );
}
