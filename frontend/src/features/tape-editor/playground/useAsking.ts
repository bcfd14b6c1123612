/** Asks models from the playground, follows their answers, and stops them. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { describeError } from "@/api/client";
import { openJobSocket } from "@/api/jobSocket";
import { isLastMessage } from "@/api/protocol";
import { showFailure } from "@/api/showFailure";
import type { LLMCall } from "@/api/types";
import { askModel, loadAnswer, stopAnswer } from "@/features/tape-editor/playground/api";
import { type Answer, isUnderWay, readPrompt } from "@/features/tape-editor/playground/playground";
import { usePlaygroundApi } from "@/features/tape-editor/playground/playgroundStore";
import { useTapeModel } from "@/features/tape-editor/editor";

/** Keeps one answer up to date while it streams. */
export function useAnswerStream({ key, jobId, state }: Answer): void {
  const { tape } = useTapeModel();
  const store = usePlaygroundApi();
  const isOpen = jobId !== null && isUnderWay({ state });
  useEffect(() => {
    if (!isOpen) return undefined;
    const { dispatch } = store.getState();
    let isGone = false;
    const socket = openJobSocket({
      jobId,
      onMessage: (message) => {
        // The complete answer and its price are not in the log.
        if (!isLastMessage(message)) dispatch({ type: "answer.message", key, message });
        else {
          void loadAnswer(tape.id, jobId).then(
            (run) => !isGone && dispatch({ type: "answer.loaded", key, run }),
            () => !isGone && dispatch({ type: "answer.message", key, message }),
          );
        }
      },
    });
    return () => {
      isGone = true;
      socket.close();
    };
  }, [isOpen, jobId, key, store, tape.id]);
}

export function useAsking(call: LLMCall) {
  const { tape } = useTapeModel();
  const store = usePlaygroundApi();
  const queries = useQueryClient();
  const ask = async (key: number) => {
    const { dispatch, ...playground } = store.getState();
    const prompt = readPrompt(playground);
    const answer = playground.answers.find((known) => known.key === key);
    if (answer === undefined || isUnderWay(answer)) return;
    if ("problem" in prompt) {
      showFailure("The model was not asked", prompt.problem);
      return;
    }
    forget(answer);
    dispatch({ type: "answer.asked", key });
    try {
      const job = await askModel(tape.id, {
        call_id: call.id,
        model_id: answer.modelId,
        response_format: call.response_format,
        ...prompt,
      });
      dispatch({ type: "answer.queued", key, jobId: job.id });
    } catch (error) {
      dispatch({ type: "answer.refused", key, message: describeError(error) });
    }
  };
  const stop = (answer: Answer) => {
    if (answer.jobId === null) return;
    stopAnswer(tape.id, answer.jobId).catch((error: unknown) => {
      showFailure("The answer was not stopped", error);
    });
  };
  /** The server deletes answers after a while anyway; this only does it sooner. */
  const forget = ({ jobId }: Answer) => {
    if (jobId !== null) stopAnswer(tape.id, jobId).catch(() => undefined);
  };
  return { ask, stop, forget, queries };
}
