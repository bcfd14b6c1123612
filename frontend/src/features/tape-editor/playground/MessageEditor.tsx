/** One message of the prompt: a line that unfolds into its role, its text and its other fields. */
import { ActionIcon, Select, Textarea } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronRight,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { memo } from "react";

import { jsonProblemOf, type EditedMessage } from "@/features/tape-editor/playground/playground";
import classes from "@/features/tape-editor/playground/playground.module.css";
import { usePlayground } from "@/features/tape-editor/playground/playgroundStore";
import { cutText, visibleText } from "@/lib/visibleText";

const ROLES = ["system", "developer", "user", "assistant", "tool"];
const GIST = 120;

interface MessageEditorProps {
  message: EditedMessage;
  number: number;
  isOpen: boolean;
  onToggle: () => void;
}

export const MessageEditor = memo(function MessageEditor(props: MessageEditorProps) {
  const { message, number, isOpen, onToggle } = props;
  return (
    <li className={`ts-panel ${classes.message}`} data-role={message.role}>
      <div className={`ts-row ${classes.messageHead}`}>
        <button
          type="button"
          className={`ts-row ${classes.opener}`}
          aria-expanded={isOpen}
          aria-label={`Message ${number}, ${message.role}`}
          onClick={onToggle}
        >
          <IconChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} />
          <span className={`ts-caption ${classes.number}`}>{number}</span>
          {!isOpen && (
            <>
              <span className={`ts-mono ${classes.role}`}>{visibleText(message.role)}</span>
              <span className="ts-truncate ts-dimmed">{summaryOf(message)}</span>
            </>
          )}
        </button>
        {isOpen && <MessageActions message={message} number={number} />}
      </div>
      {isOpen && <MessageFields message={message} number={number} />}
    </li>
  );
});

function summaryOf({ text, rest }: EditedMessage): string {
  return visibleText(cutText(text === "" ? rest : text, GIST).replaceAll(/\s+/g, " "));
}

function MessageActions({
  message: { key, role },
  number,
}: Pick<MessageEditorProps, "message" | "number">) {
  const dispatch = usePlayground((playground) => playground.dispatch);
  return (
    <span className={`ts-row ${classes.messageActions}`}>
      <Select
        className={classes.roleField}
        aria-label={`Role of message ${number}`}
        w={120}
        allowDeselect={false}
        data={ROLES.includes(role) ? ROLES : [...ROLES, role]}
        value={role}
        onChange={(wanted) =>
          wanted !== null && dispatch({ type: "message.edited", key, part: { role: wanted } })
        }
      />
      <ActionIcon
        size={24}
        aria-label={`Move message ${number} up`}
        onClick={() => dispatch({ type: "message.moved", key, by: -1 })}
      >
        <IconArrowUp size={14} />
      </ActionIcon>
      <ActionIcon
        size={24}
        aria-label={`Move message ${number} down`}
        onClick={() => dispatch({ type: "message.moved", key, by: 1 })}
      >
        <IconArrowDown size={14} />
      </ActionIcon>
      <ActionIcon
        size={24}
        aria-label={`Add a message after ${number}`}
        onClick={() => dispatch({ type: "message.added", after: key })}
      >
        <IconPlus size={14} />
      </ActionIcon>
      <ActionIcon
        size={24}
        aria-label={`Remove message ${number}`}
        onClick={() => dispatch({ type: "message.removed", key })}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </span>
  );
}

function MessageFields({ message, number }: Pick<MessageEditorProps, "message" | "number">) {
  const dispatch = usePlayground((playground) => playground.dispatch);
  const { key, text, rest } = message;
  return (
    <div className={`ts-stack ${classes.fields}`}>
      <Textarea
        aria-label={`Text of message ${number}`}
        autosize
        minRows={2}
        maxRows={20}
        value={text}
        onChange={({ currentTarget }) =>
          dispatch({ type: "message.edited", key, part: { text: currentTarget.value } })
        }
      />
      {rest !== "" && (
        <Textarea
          label="Other fields as JSON"
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          error={jsonProblemOf(rest)}
          classNames={{ input: classes.json }}
          value={rest}
          onChange={({ currentTarget }) =>
            dispatch({ type: "message.edited", key, part: { rest: currentTarget.value } })
          }
        />
      )}
    </div>
  );
}
