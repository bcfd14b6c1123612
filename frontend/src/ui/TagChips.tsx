import classes from "@/ui/TagChips.module.css";
import { visibleText } from "@/lib/visibleText";

/** Tags to read; renders nothing if there are none. */
export function TagChips({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className={`ts-truncate ${classes.chip}`} title={visibleText(tag)}>
          {visibleText(tag)}
        </li>
      ))}
    </ul>
  );
}
