/** What an operator does with an MCP server: allow its tools, remove it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { environmentKeys, removeServer } from "@/api/environments";
import { showFailure } from "@/api/showFailure";
import classes from "@/features/environments/environments.module.css";
import { ServerTools } from "@/features/environments/ServerTools";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";

interface ServerActionsProps {
  /** Its own name, without `mcp.` */
  server: string;
  hasTools: boolean;
}

export function ServerActions({ server, hasTools }: ServerActionsProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeServer(server),
    onSuccess: () => queries.invalidateQueries({ queryKey: environmentKeys.all }),
    onError: (error) => showFailure("It was not removed", error),
  });
  return (
    <div className={classes.actions}>
      {hasTools && <ServerTools server={server} />}
      <ConfirmButton
        size="compact-xs"
        aria-label={`Remove: ${server}`}
        loading={remove.isPending}
        question={`Remove ${visibleText(server)}? Agents of all projects that use its tools can no longer run.`}
        confirm="Remove"
        onConfirm={() => remove.mutate()}
      >
        Remove
      </ConfirmButton>
    </div>
  );
}
