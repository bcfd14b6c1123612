/** A recorded prompt to edit and send to any models, answers side by side; nothing is saved. */
import { useQuery } from "@tanstack/react-query";
import type { StoreApi } from "zustand";

import { describeError } from "@/api/client";
import { callQuery } from "@/api/tapes";
import type { LLMCall } from "@/api/types";
import { Answers } from "@/features/tape-editor/playground/Answers";
import { wholePromptQuery } from "@/features/tape-editor/playground/api";
import { openPlayground } from "@/features/tape-editor/playground/playground";
import classes from "@/features/tape-editor/playground/playground.module.css";
import {
  createPlaygroundStore,
  PlaygroundProvider,
  type PlaygroundStore,
} from "@/features/tape-editor/playground/playgroundStore";
import { PromptEditor } from "@/features/tape-editor/playground/PromptEditor";
import { useTapeModel } from "@/features/tape-editor/editor";
import { isObject } from "@/lib/json";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface PlaygroundScreenProps {
  callId: string;
  kept: Map<string, StoreApi<PlaygroundStore>>;
  onClose: (step?: number) => void;
}

export function PlaygroundScreen({ callId, kept, onClose }: PlaygroundScreenProps) {
  const { tape } = useTapeModel();
  const call = useQuery(callQuery(tape.id, callId));
  const prompt = useQuery({
    ...wholePromptQuery(tape.id, call.data),
    enabled: call.data !== undefined,
  });
  const error = call.error ?? prompt.error;
  if (error !== null) {
    return (
      <ErrorState
        title="The prompt could not be loaded"
        message={describeError(error)}
        onRetry={() => void (call.data === undefined ? call.refetch() : prompt.refetch())}
      />
    );
  }
  if (call.data === undefined || prompt.data === undefined) {
    return <RowsSkeleton rows={8} label="Loading the prompt" />;
  }
  const store = kept.get(callId) ?? createStoreOf(call.data, prompt.data);
  kept.set(callId, store);
  return (
    <PlaygroundProvider value={store}>
      <div className={classes.screen}>
        <PromptEditor />
        <Answers call={call.data} onClose={onClose} />
      </div>
    </PlaygroundProvider>
  );
}

function createStoreOf(call: LLMCall, messages: readonly Record<string, unknown>[]) {
  return createPlaygroundStore(openPlayground(messages, call.tools, parametersOf(call)));
}

const NO_PARAMETER = /key|secret|passw|credential|headers|auth|token$|^delay_seconds$/i;

/** The parameters of the recorded call; API keys are never recorded, only that there was one. */
function parametersOf(call: LLMCall): Record<string, unknown> {
  const { parameters } = call.llm;
  const given = { ...(isObject(parameters) && parameters), ...call.chosen };
  return Object.fromEntries(Object.entries(given).filter(([name]) => !NO_PARAMETER.test(name)));
}
