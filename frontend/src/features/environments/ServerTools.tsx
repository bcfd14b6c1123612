/** Which tools of an MCP server agents may use, under which names, and whether runs ask. */
import { Alert, Button, Checkbox, Group, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { allowTools, environmentKeys, serverToolsQuery, type ServerTool } from "@/api/environments";
import classes from "@/features/environments/environments.module.css";
import { ToolChanges } from "@/features/environments/ToolChanges";
import { choose, choiceOf, isCallable, type Choice } from "@/features/environments/toolChoice";
import { visibleText } from "@/lib/visibleText";
import { FoldedText } from "@/ui/FoldedText";
import { PlainTable } from "@/ui/PlainTable";
import { ErrorState, RowsSkeleton } from "@/ui/States";

/** `server` is its own name, without `mcp.` */
export function ServerTools({ server }: { server: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Allow tools: ${server}`}
        onClick={() => setOpen(true)}
      >
        Allow tools…
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Tools of ${visibleText(server)}`} size={900}>
        {isOpen && <LoadedTools server={server} onDone={close} />}
      </Modal>
    </>
  );
}

interface LoadedToolsProps {
  server: string;
  onDone: () => void;
}

function LoadedTools({ server, onDone }: LoadedToolsProps) {
  // Read anew each time it is opened: what is allowed is what was seen.
  const query = useQuery({ ...serverToolsQuery(server), gcTime: 0, refetchOnWindowFocus: false });
  if (query.isPending) return <RowsSkeleton label="Loading tools" rows={4} />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title="The tools could not be loaded"
        message={describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return <ToolForm server={server} tools={query.data.items} onDone={onDone} />;
}

interface ToolFormProps extends LoadedToolsProps {
  tools: readonly ServerTool[];
}

function ToolForm({ server, tools, onDone }: ToolFormProps) {
  const queries = useQueryClient();
  const [choices, setChoices] = useState(() => tools.map(choiceOf));
  const save = useMutation({
    mutationFn: () =>
      allowTools(
        server,
        tools.flatMap((tool, at) => choose(tool, choices[at] ?? choiceOf(tool))),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: environmentKeys.all });
      onDone();
    },
  });
  const change = (at: number, changed: Partial<Choice>) =>
    setChoices(choices.map((one, other) => (other === at ? { ...one, ...changed } : one)));
  const allowedCount = choices.filter(({ isAllowed }) => isAllowed).length;
  if (tools.length === 0) {
    return <p className="ts-hint">It has offered no tools. Check it first.</p>;
  }
  return (
    <form
      className="ts-stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <PlainTable aria-label={`Tools of ${server}`}>
        <thead>
          <tr>
            <th scope="col">
              <Checkbox
                label="Allow"
                checked={allowedCount === tools.length}
                indeterminate={allowedCount > 0 && allowedCount < tools.length}
                onChange={({ currentTarget: { checked } }) =>
                  setChoices(choices.map((one) => ({ ...one, isAllowed: checked })))
                }
              />
            </th>
            <th scope="col">Name for models</th>
            <th scope="col">Description</th>
            <th scope="col">Ask before each call</th>
          </tr>
        </thead>
        <tbody className={classes.choices}>
          {tools.map((tool, at) => (
            <ToolRow
              key={tool.served_as}
              tool={tool}
              choice={choices[at] ?? choiceOf(tool)}
              onChange={(changed) => change(at, changed)}
            />
          ))}
        </tbody>
      </PlainTable>
      {save.isError && (
        <Alert color="red" title="Not saved" role="alert">
          {describeError(save.error)}
        </Alert>
      )}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </Group>
    </form>
  );
}

interface ToolRowProps {
  tool: ServerTool;
  choice: Choice;
  onChange: (changed: Partial<Choice>) => void;
}

function ToolRow({ tool, choice, onChange }: ToolRowProps) {
  const { isAllowed, name, isIrreversible } = choice;
  const [isOpen, setOpen] = useState(false);
  const called = visibleText(tool.served_as);
  return (
    <tr>
      <th scope="row">
        <Checkbox
          label={called}
          classNames={{ label: "ts-mono" }}
          checked={isAllowed}
          onChange={({ currentTarget }) => onChange({ isAllowed: currentTarget.checked })}
        />
      </th>
      <td>
        <TextInput
          aria-label={`Name for models: ${called}`}
          size="xs"
          disabled={!isAllowed}
          maxLength={64}
          value={name}
          error={isAllowed && !isCallable(name) ? "Letters, digits, - and _" : null}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
      </td>
      <td className={classes.description}>
        <FoldedText text={tool.description} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        {tool.changes.length > 0 && (
          <ToolChanges
            tool={tool}
            isAccepted={choice.isAccepted}
            onAccept={(isAccepted) => onChange({ isAccepted })}
          />
        )}
      </td>
      <td>
        <Checkbox
          aria-label={`Ask before each call: ${called}`}
          disabled={!isAllowed}
          checked={isIrreversible}
          onChange={({ currentTarget }) => onChange({ isIrreversible: currentTarget.checked })}
        />
      </td>
    </tr>
  );
}
