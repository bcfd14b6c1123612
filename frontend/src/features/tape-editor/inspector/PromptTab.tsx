/** The exact prompt of a call: all of it, only what is new, or what changed since the last one. */
import {
  ActionIcon,
  Button,
  CopyButton,
  SegmentedControl,
  TextInput,
  Tooltip,
} from "@mantine/core";
import { IconCheck, IconCopy, IconFlask, IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import type { LLMCall } from "@/api/types";
import { CallOf } from "@/features/tape-editor/inspector/CallOf";
import { type Fact, FactList } from "@/ui/FactList";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { JsonBlock } from "@/features/tape-editor/inspector/JsonBlock";
import { MessageView, wholeText } from "@/features/tape-editor/inspector/MessageView";
import { PromptChangesView } from "@/features/tape-editor/inspector/PromptChangesView";
import { PromptTools } from "@/features/tape-editor/inspector/PromptTools";
import { shareTokens, sizeOf } from "@/features/tape-editor/inspector/tokenShares";
import { type LoadedMessages, useMessages } from "@/features/tape-editor/inspector/useMessages";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { CallSnippets } from "@/features/tape-editor/share";
import { countOf, guessTokens } from "@/lib/format";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { Tokens } from "@/ui/Quantities";

const SHOWN = ["all", "new", "changes"] as const;
type Shown = (typeof SHOWN)[number];

interface PromptTabProps {
  row: StepRow;
  onPlayground: () => void;
}

export function PromptTab({ row, onPlayground }: PromptTabProps) {
  const [shown, setShown] = useState<Shown>("all");
  return (
    <CallOf row={row}>
      {(call) => (
        <Prompt call={call} shown={shown} onShown={setShown} onPlayground={onPlayground} />
      )}
    </CallOf>
  );
}

interface PromptProps {
  call: LLMCall;
  shown: Shown;
  onShown: (shown: Shown) => void;
  onPlayground: () => void;
}

function Prompt({ call, shown, onShown, onPlayground }: PromptProps) {
  const { tape } = useTapeModel();
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed.trim());
  const loaded = useMessages(call);
  const hasPrevious = call.previous_call_id !== null;
  const view = hasPrevious ? shown : "all";
  return (
    <>
      <div className={`ts-row ts-hint ${classes.bar}`}>
        <span>
          {countOf(call.message_count, "message")}, <Tokens value={call.usage.input_tokens} />{" "}
          tokens{call.usage.is_estimate && " (estimate)"}
        </span>
        <SegmentedControl
          aria-label="Messages to show"
          disabled={!hasPrevious}
          data={[
            { value: "all", label: "All" },
            { value: "new", label: "New" },
            { value: "changes", label: "Diff" },
          ]}
          value={view}
          onChange={(wanted) => onShown(SHOWN.find((known) => known === wanted) ?? "all")}
        />
      </div>
      <div className={`ts-row ts-hint ${classes.bar}`}>
        <TextInput
          className={classes.search}
          type="search"
          aria-label="Find in the prompt"
          placeholder="Find"
          leftSection={<IconSearch size={14} stroke={1.75} />}
          disabled={view === "changes"}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <CopyPrompt call={call} messages={loaded.messages} />
        <CallSnippets tapeId={tape.id} callId={call.id} />
        <ForWriters>
          <Button variant="default" leftSection={<IconFlask size={14} />} onClick={onPlayground}>
            Playground
          </Button>
        </ForWriters>
      </div>
      {call.left_out !== "" && (
        <div className={`ts-row ts-hint ${classes.bar}`}>{call.left_out}</div>
      )}
      {view === "changes" ? (
        <PromptChangesView call={call} />
      ) : (
        <Messages call={call} loaded={loaded} search={search} isNew={view === "new"} />
      )}
      <PromptTools call={call} />
      <Chosen chosen={call.chosen} />
      {call.response_format !== null && (
        <JsonBlock
          slot={`${call.id}.format`}
          label="Response format"
          value={call.response_format}
        />
      )}
    </>
  );
}

/** What the node chose over the parameters of its model. */
function Chosen({ chosen }: Pick<LLMCall, "chosen">) {
  const facts = Object.entries(chosen).map(factOf);
  if (facts.length === 0) return null;
  return (
    <details className={classes.details} open>
      <summary>Chosen by the node</summary>
      <FactList facts={facts} />
    </details>
  );
}

function factOf([name, value]: [string, unknown]): Fact {
  return [visibleText(name), visibleText(typeof value === "string" ? value : prettyJson(value))];
}

interface MessagesProps {
  call: LLMCall;
  loaded: LoadedMessages;
  search: string;
  isNew: boolean;
}

function Messages({ call, loaded, search, isNew }: MessagesProps) {
  const { messages, first } = loaded;
  const tokens = tokensOf(call, loaded);
  const hidden = isNew ? Math.max(0, call.shared_message_count - first) : 0;
  const numbered = messages.map((message, at) => ({ message, at })).slice(hidden);
  const found =
    search === ""
      ? numbered
      : numbered.filter(({ message }) =>
          wholeText(message).toLowerCase().includes(search.toLowerCase()),
        );
  const isCut = first > 0 && !(isNew && first <= call.shared_message_count);
  return (
    <>
      {isCut && <Earlier loaded={loaded} isSearching={search !== ""} />}
      {isNew && call.shared_message_count > 0 && (
        <p className={classes.same}>
          ═ {countOf(call.shared_message_count, "message")} same as in the previous call
        </p>
      )}
      {found.map(({ message, at }) => (
        <MessageView
          key={`${call.id}.${first + at}`}
          slot={`${call.id}.${first + at}`}
          message={message}
          number={first + at + 1}
          search={search}
          {...(tokens[at] === undefined ? {} : { tokens: tokens[at] })}
        />
      ))}
      {found.length === 0 && (
        <p className={classes.same}>
          {search === "" ? "No new messages" : "No loaded message contains these words"}
        </p>
      )}
    </>
  );
}

function Earlier({ loaded, isSearching }: { loaded: LoadedMessages; isSearching: boolean }) {
  return (
    <div className={`ts-row ts-hint ${classes.earlier}`}>
      <Button variant="subtle" loading={loaded.isLoading} onClick={loaded.onEarlier}>
        Show earlier messages
      </Button>
      <span>
        {countOf(loaded.first, "message")} above{isSearching && " not searched yet"}
      </span>
      {loaded.error !== null && <span role="alert">{describeError(loaded.error)}</span>}
    </div>
  );
}

/** The recorded sum by length where the whole prompt is here; a guess otherwise. */
function tokensOf(call: LLMCall, { messages, first }: LoadedMessages): number[] {
  const sizes = messages.map(sizeOf);
  const total = call.usage.input_tokens;
  if (first > 0 || total === null) return sizes.map((size) => guessTokens(size));
  return shareTokens([...sizes, sizeOf(call.tools)], total);
}

interface CopyPromptProps {
  call: LLMCall;
  messages: readonly Record<string, unknown>[];
}

function CopyPrompt({ call, messages }: CopyPromptProps) {
  const isWhole = messages.length === call.message_count;
  const label = isWhole ? "Copy the messages as JSON" : "Copy the loaded messages as JSON";
  return (
    <CopyButton value={prettyJson(messages)} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : label}>
          <ActionIcon size={24} aria-label={label} onClick={copy}>
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.75} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
