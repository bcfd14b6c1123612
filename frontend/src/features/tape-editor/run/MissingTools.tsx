/** Tools that were called and that the agent does not have, and the offer to emulate them. */
import { Button } from "@mantine/core";
import { IconTool } from "@tabler/icons-react";

import classes from "@/features/tape-editor/run/run.module.css";
import type { OptionFieldsProps } from "@/features/tape-editor/run/optionFields";
import { visibleText } from "@/lib/visibleText";

const MOST_NAMED = 5;

interface MissingToolsProps extends OptionFieldsProps {
  names: readonly string[];
  /** As wide as the run bar, rather than a part of the narrow options panel. */
  isWide?: boolean;
}

export function MissingTools({ names, choice, change, isWide = false }: MissingToolsProps) {
  const left = names.filter((name) => choice.byTool[name] === undefined);
  if (left.length === 0 || choice.defaultPolicy === "emulate") return null;
  const others = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : "";
  return (
    <div className={`ts-hint ${isWide ? `ts-row ${classes.note}` : "ts-stack"}`} role="note">
      {isWide && <IconTool size={16} stroke={1.75} aria-hidden="true" />}
      <span className={isWide ? classes.sentence : undefined}>
        This agent does not have {visibleText(left.slice(0, MOST_NAMED).join(", "))}
        {others}, which this tape or one of its family calls.
      </span>
      <div>
        <EmulateButton names={left} choice={choice} change={change} />
      </div>
    </div>
  );
}

interface EmulateButtonProps extends OptionFieldsProps {
  names: readonly string[];
}

export function EmulateButton({ names, choice, change }: EmulateButtonProps) {
  const emulated = Object.fromEntries(names.map((name) => [name, "emulate" as const]));
  return (
    <Button
      variant="default"
      size="compact-xs"
      title="A model or a script answers as the tool would, marked on every card"
      onClick={() => change({ byTool: { ...choice.byTool, ...emulated } })}
    >
      {names.length === 1 ? "Emulate it" : "Emulate them"}
    </Button>
  );
}
