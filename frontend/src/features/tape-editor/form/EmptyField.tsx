/** An empty field: buttons for the values that it can start with. */
import { Button } from "@mantine/core";

import classes from "@/features/tape-editor/form/form.module.css";
import { emptyWord } from "@/features/tape-editor/form/ScalarInput";

interface OpenFieldProps {
  id: string;
  value: unknown;
  onText: () => void;
  onJson: () => void;
}

/** The schema allows any value here, and there is none. */
export function OpenField({ id, value, onText, onJson }: OpenFieldProps) {
  return (
    <span className={`ts-inline ${classes.open}`}>
      <span className={classes.note}>{emptyWord(value)}</span>
      <Button id={id} variant="default" size="compact-xs" onClick={onText}>
        Write text
      </Button>
      <Button variant="default" size="compact-xs" onClick={onJson}>
        Write JSON
      </Button>
    </span>
  );
}

export function SetButton({ id, onClick }: { id: string; onClick: () => void }) {
  return (
    <Button id={id} size="compact-xs" variant="default" onClick={onClick}>
      Not set: add a value
    </Button>
  );
}
