/** The exact prompt of a call: all of it, only what is new, or what changed since the previous. */
import {
  ActionIcon,
  Button,
  CopyButton,
  Modal,
  SegmentedControl,
  TextInput,
  Tooltip,
} from "@mantine/core";
import {
  IconCheck,
  IconCopy,
  IconFlask,
  IconFold,
  IconFoldDown,
  IconMaximize,
  IconSearch,
} from "@tabler/icons-react";
import { useDeferredValue, useMemo, useState } from "react";

import { ForWriters } from "@/api/ForWriters";
import type { LLMCall } from "@/api/types";
import { CallOf } from "@/features/tape-editor/inspector/CallOf";
import { type Fact, FactList } from "@/ui/FactList";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { JsonBlock } from "@/features/tape-editor/inspector/JsonBlock";
import { PromptChangesView } from "@/features/tape-editor/inspector/PromptChangesView";
import { PromptMessages } from "@/features/tape-editor/inspector/PromptMessages";
import { PromptTools } from "@/features/tape-editor/inspector/PromptTools";
import { useMessages } from "@/features/tape-editor/inspector/useMessages";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { CallSnippets } from "@/features/tape-editor/share";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
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
  const [isFolded, setFolded] = useState(false);
  const [isWide, setWide] = useState(false);
  useKeys(
    "Inspector",
    useMemo(() => [{ ...WIDE, run: () => setWide(true) }], []),
  );
  const look = { shown, onShown: setShown, isFolded, onFolded: setFolded };
  return (
    <CallOf row={row}>
      {(call) => (
        <>
          <Prompt
            call={call}
            look={look}
            onPlayground={onPlayground}
            onWide={() => setWide(true)}
          />
          <Modal
            opened={isWide}
            onClose={() => setWide(false)}
            title="Prompt"
            size="min(1200px, calc(100vw - 64px))"
          >
            <Prompt
              call={call}
              look={look}
              onPlayground={() => {
                setWide(false);
                onPlayground();
              }}
            />
          </Modal>
        </>
      )}
    </CallOf>
  );
}

const WIDE = { keys: "W", label: "Show the prompt wide" };

interface PromptLook {
  shown: Shown;
  onShown: (shown: Shown) => void;
  /** Messages are folded, except those that were opened. */
  isFolded: boolean;
  onFolded: (isFolded: boolean) => void;
}

interface PromptProps {
  call: LLMCall;
  look: PromptLook;
  onPlayground: () => void;
  /** Absent when the prompt is wide already. */
  onWide?: () => void;
}

function Prompt({ call, look, onPlayground, onWide }: PromptProps) {
  const { shown, onShown, isFolded, onFolded } = look;
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
            { value: "all", label: "Whole" },
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
        <FoldAll isFolded={isFolded} onFolded={onFolded} />
        <CopyPrompt call={call} messages={loaded.messages} />
        <CallSnippets tapeId={tape.id} callId={call.id} />
        {onWide !== undefined && (
          <Tooltip label={`${WIDE.label} (${WIDE.keys})`}>
            <ActionIcon size={24} aria-label={WIDE.label} onClick={onWide}>
              <IconMaximize size={15} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        )}
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
        <PromptMessages
          call={call}
          loaded={loaded}
          search={search}
          isNew={view === "new"}
          isFolded={isFolded}
        />
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

/** The node's own settings, which override its model's parameters. */
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

function FoldAll({ isFolded, onFolded }: Pick<PromptLook, "isFolded" | "onFolded">) {
  const label = isFolded ? "Expand all messages" : "Collapse all messages";
  const Drawn = isFolded ? IconFoldDown : IconFold;
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} onClick={() => onFolded(!isFolded)}>
        <Drawn size={15} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
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
