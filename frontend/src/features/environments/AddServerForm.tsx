/** An MCP server, pasted or typed. Adding it also checks it, so that its tools can be allowed. */
import { Alert, Button, Group, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { addServers, checkEnvironment, environmentKeys } from "@/api/environments";
import {
  describeServers,
  NO_SERVER,
  type ServerParts,
} from "@/features/environments/describeServers";

const WAYS = [
  { value: "paste", label: "Paste" },
  { value: "command", label: "Command" },
  { value: "address", label: "Address" },
] as const;

const EXAMPLE = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/papers"]
    }
  }
}`;

export function AddServerForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient();
  const [parts, setParts] = useState(NO_SERVER);
  const add = useMutation({
    mutationFn: async () => {
      const added = await addServers(describeServers(parts));
      // A check that cannot be started leaves a server that is not checked, which its row says.
      await Promise.allSettled(added.names.map((name) => checkEnvironment(`mcp.${name}`)));
      return added;
    },
    onSuccess: ({ variables }) => {
      void queries.invalidateQueries({ queryKey: environmentKeys.all });
      if (variables.length === 0) onDone();
    },
  });
  if (add.data !== undefined) {
    return <Variables names={add.data.variables} onDone={onDone} />;
  }
  return (
    <form
      className="ts-stack"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <SegmentedControl
        aria-label="Describe it by"
        fullWidth
        data={[...WAYS]}
        value={parts.way}
        onChange={(way) => setParts({ ...parts, way })}
      />
      <Fields parts={parts} onChange={(changed) => setParts({ ...parts, ...changed })} />
      <p className="ts-hint">
        Adding a command lets workers start it, with their rights, for the agents of all projects.
        Agents may use none of its tools until you allow them.
      </p>
      {add.isError && (
        <Alert color="red" title="Not added" role="alert">
          {describeError(add.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button type="submit" loading={add.isPending}>
          Add and check
        </Button>
      </Group>
    </form>
  );
}

interface FieldsProps {
  parts: ServerParts;
  onChange: (changed: Partial<ServerParts>) => void;
}

function Fields({ parts, onChange }: FieldsProps) {
  if (parts.way === "paste") {
    return (
      <Textarea
        label="JSON"
        description="The mcpServers of Claude Desktop, Cursor, VS Code or a server’s manual. Keys in it are not kept."
        placeholder={EXAMPLE}
        classNames={{ input: "ts-mono" }}
        autosize
        minRows={8}
        maxRows={20}
        data-autofocus
        required
        withAsterisk={false}
        value={parts.text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
    );
  }
  return (
    <>
      <TextInput
        label="Name"
        description="Nodes name a tool of it mcp.NAME.TOOL"
        placeholder="files"
        required
        withAsterisk={false}
        maxLength={64}
        value={parts.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      {parts.way === "command" ? (
        <>
          <TextInput
            label="Program"
            placeholder="npx"
            required
            withAsterisk={false}
            value={parts.command}
            onChange={({ currentTarget }) => onChange({ command: currentTarget.value })}
          />
          <Textarea
            label="Arguments"
            description="One a line; ${NAME} stands for a variable of the studio"
            placeholder={"-y\n@modelcontextprotocol/server-filesystem\n/srv/papers"}
            classNames={{ input: "ts-mono" }}
            autosize
            minRows={3}
            maxRows={12}
            value={parts.args}
            onChange={({ currentTarget }) => onChange({ args: currentTarget.value })}
          />
        </>
      ) : (
        <TextInput
          label="Address"
          placeholder="https://weather.example/mcp"
          type="url"
          required
          withAsterisk={false}
          value={parts.url}
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
      )}
    </>
  );
}

/** What is left to do, because values that may be keys were not kept. */
function Variables({ names, onDone }: { names: readonly string[]; onDone: () => void }) {
  return (
    <div className="ts-stack">
      <p role="status">
        It was added without the values of <span className="ts-mono">env</span> and{" "}
        <span className="ts-mono">headers</span>, which may be keys. Set{" "}
        <span className="ts-mono">{names.join(", ")}</span> where the studio runs, for example in
        its <span className="ts-mono">.env</span> file, and start it again. Then check the server.
      </p>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onDone}>
          Done
        </Button>
      </Group>
    </div>
  );
}
