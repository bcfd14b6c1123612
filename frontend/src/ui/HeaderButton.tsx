import { Button, type ButtonProps } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { Ref } from "react";

import classes from "@/ui/HeaderButton.module.css";

interface HeaderButtonProps extends Omit<ButtonProps, "title"> {
  word: string;
  icon: Icon;
  title?: string;
  isPressed?: boolean;
  onClick?: () => void;
  /** Props that a menu passes to the button that opens it. */
  ref?: Ref<HTMLButtonElement>;
}

/** A header button: its label disappears where there is no room, its accessible name stays. */
export function HeaderButton(props: HeaderButtonProps) {
  const { word, icon: Drawn, title, isPressed, className, ...rest } = props;
  return (
    <Button
      variant="default"
      className={`${classes.button ?? ""} ${className ?? ""}`}
      classNames={{ section: classes.icon, label: classes.word }}
      leftSection={<Drawn size={14} stroke={1.75} aria-hidden="true" />}
      aria-label={word}
      aria-pressed={isPressed}
      title={title ?? word}
      data-pressed={isPressed === true || undefined}
      {...rest}
    >
      {word}
    </Button>
  );
}
