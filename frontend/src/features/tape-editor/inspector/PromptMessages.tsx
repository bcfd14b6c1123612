/** The messages of a prompt: all, or only those that the previous call did not have. */
import { Button } from "@mantine/core";

import { describeError } from "@/api/client";
import type { LLMCall } from "@/api/types";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { MessageView, searchableText } from "@/features/tape-editor/inspector/MessageView";
import { shareTokens, sizeOf } from "@/features/tape-editor/inspector/tokenShares";
import type { LoadedMessages } from "@/features/tape-editor/inspector/useMessages";
import { countOf, guessTokens } from "@/lib/format";

interface MessagesProps {
  call: LLMCall;
  loaded: LoadedMessages;
  search: string;
  isNew: boolean;
  /** Each message shows its role and first words until it is opened. */
  isFolded: boolean;
}

export function PromptMessages({ call, loaded, search, isNew, isFolded }: MessagesProps) {
  const { messages, first } = loaded;
  const tokens = tokensOf(call, loaded);
  const hidden = isNew ? Math.max(0, call.shared_message_count - first) : 0;
  const numbered = messages.map((message, at) => ({ message, at })).slice(hidden);
  const found =
    search === ""
      ? numbered
      : numbered.filter(({ message }) =>
          searchableText(message).toLowerCase().includes(search.toLowerCase()),
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
          isFolded={isFolded}
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

/** Shares of the recorded total, by length, if the complete prompt is loaded; otherwise a guess. */
function tokensOf(call: LLMCall, { messages, first }: LoadedMessages): number[] {
  const sizes = messages.map(sizeOf);
  const total = call.usage.input_tokens;
  if (first > 0 || total === null) return sizes.map((size) => guessTokens(size));
  return shareTokens([...sizes, sizeOf(call.tools)], total);
}
