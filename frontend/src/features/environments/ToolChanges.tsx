/** How a server has changed a tool since it was allowed, to be accepted. */
import { Checkbox } from "@mantine/core";

import type { ServerTool } from "@/api/environments";
import classes from "@/features/environments/environments.module.css";
import { visibleText } from "@/lib/visibleText";
import { FieldDiff } from "@/ui/fields/FieldDiff";

interface ToolChangesProps {
  tool: ServerTool;
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
}

export function ToolChanges({ tool, isAccepted, onAccept }: ToolChangesProps) {
  return (
    <div className={classes.changes}>
      <p className="ts-warn">
        Changed since it was allowed: {visibleText(tool.changes.join("; "))}. Runs that would use it
        are refused{tool.offered_digest === "" ? "." : " until you accept the change."}
      </p>
      {tool.fields.map((field) => (
        <FieldDiff key={field.path} field={field} isUnified />
      ))}
      {tool.offered_digest !== "" && (
        <Checkbox
          size="xs"
          label="Accept the change"
          aria-label={`Accept the change: ${visibleText(tool.served_as)}`}
          checked={isAccepted}
          onChange={({ currentTarget }) => onAccept(currentTarget.checked)}
        />
      )}
    </div>
  );
}
