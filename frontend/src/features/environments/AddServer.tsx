/** Adding an MCP server: a form for operators, and the commands for everybody else to pass on. */
import { ActionIcon, Button, Modal } from "@mantine/core";
import { IconCopy, IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { AddServerForm } from "@/features/environments/AddServerForm";
import classes from "@/features/environments/environments.module.css";
import { copyText } from "@/ui/copyText";
import { Code } from "@/ui/SecretOnce";

const COMMANDS = [
  "python manage.py mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv/papers",
  "python manage.py mcp add weather --url https://weather.example/mcp",
  "python manage.py mcp allow files",
] as const;

interface AddServerProps {
  /** There is no server yet, so this is all that there is to see. */
  isFirst: boolean;
  /** The person may add one here. */
  canAdd: boolean;
}

export function AddServer({ isFirst, canAdd }: AddServerProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className={classes.add}>
      {canAdd && (
        <div className="ts-row">
          <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen(true)}>
            Add an MCP server
          </Button>
          {isFirst && <span className="ts-hint">There is none yet.</span>}
        </div>
      )}
      <Commands isOpen={isFirst && !canAdd} canAdd={canAdd} />
      <Modal opened={isOpen} onClose={close} title="Add an MCP server" size={560}>
        {isOpen && <AddServerForm onDone={close} />}
      </Modal>
    </div>
  );
}

function Commands({ isOpen, canAdd }: { isOpen: boolean; canAdd: boolean }) {
  const title = isOpen
    ? "There is no MCP server yet. How to add one"
    : `How to add an MCP server${canAdd ? " in a shell" : ""}`;
  return (
    <details open={isOpen}>
      <summary className={`ts-inline ts-fold ${classes.fold}`}>{title}</summary>
      <p className="ts-hint">
        A server is a program that workers start, or an address. Whoever runs the studio adds it in
        a shell, where the studio is installed, and allows its tools:
      </p>
      <ul className={classes.commands} aria-label="Commands">
        {COMMANDS.map((command) => (
          <li key={command} className="ts-row">
            <Code>{command}</Code>
            <ActionIcon
              aria-label={`Copy ${command}`}
              onClick={() => void copyText(command, "Command copied")}
            >
              <IconCopy size={16} stroke={1.75} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </details>
  );
}
