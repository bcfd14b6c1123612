import { IconHelp, IconSettings, type Icon } from "@tabler/icons-react";
import type { ComponentProps } from "react";

import classes from "@/app/Shell.module.css";

type ButtonProps = ComponentProps<"button">;

export function HelpButton(props: ButtonProps) {
  return <MenuButton word="Help" icon={IconHelp} {...props} />;
}

export function SettingsButton(props: ButtonProps) {
  return <MenuButton word="Settings" icon={IconSettings} {...props} />;
}

function MenuButton({ word, icon: Drawn, ...rest }: ButtonProps & { word: string; icon: Icon }) {
  return (
    <button
      {...rest}
      type="button"
      className={`ts-row ${classes.item}`}
      aria-label={word}
      title={word}
    >
      <Drawn size={16} stroke={1.75} aria-hidden="true" />
      <span className={classes.word}>{word}</span>
    </button>
  );
}
