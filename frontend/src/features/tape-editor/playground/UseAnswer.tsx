/** Puts an answer into the draft, in place of the steps that the recorded answer became. */
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconReplace } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { showFailure } from "@/api/showFailure";
import { stepsQuery } from "@/api/tapes";
import type { LLMCall } from "@/api/types";
import { useEditorApi, useTapeModel, withoutMetadata } from "@/features/tape-editor/editor";
import { replaceSteps } from "@/features/tape-editor/playground/answerSteps";
import { makeSteps } from "@/features/tape-editor/playground/api";
import type { Answer } from "@/features/tape-editor/playground/playground";
import { countOf } from "@/lib/format";
import { isObject } from "@/lib/json";

interface UseAnswerProps {
  call: LLMCall;
  answer: Answer;
  onClose: (step?: number) => void;
}

export function UseAnswer({ call, answer, onClose }: UseAnswerProps) {
  const { tape, slots, outline, canEdit } = useTapeModel();
  const store = useEditorApi();
  const queries = useQueryClient();
  const use = useMutation({
    mutationFn: async () => {
      const output = outputOf(answer);
      const { positions, steps } = await makeSteps(tape.id, call.id, output);
      const first = positions[0] ?? 0;
      const count = (positions.at(-1) ?? first) - first + 1;
      const page = await queries.query(stepsQuery(tape.id, first, count));
      const recorded = positions.map((position) =>
        withoutMetadata(page.items[position - first]?.body ?? {}),
      );
      return replaceSteps(slots, positions, recorded, steps);
    },
    onSuccess: (operations) => {
      if (operations === null) {
        showFailure(
          "The answer was not used",
          "The steps of the recorded answer were deleted in this draft; undo that first.",
        );
        return;
      }
      const { dispatch } = store.getState();
      dispatch({ type: "form.closed" });
      dispatch({ type: "draft.editedTogether", operations, stepCount: outline.length });
      const first = operations.find((operation) => "position" in operation);
      onClose(first?.position);
      notifications.show({
        message:
          operations.length === 0
            ? "The answer produces the same steps."
            : `The new answer is in the draft: ${countOf(operations.length, "change")}.`,
      });
    },
    onError: (error) => showFailure("The answer was not used", error),
  });
  return (
    <Button
      variant="light"
      leftSection={<IconReplace size={14} />}
      disabled={!canEdit}
      loading={use.isPending}
      title="Replace the recorded answer in the draft"
      onClick={() => use.mutate()}
    >
      Use this answer
    </Button>
  );
}

function outputOf({ run, text, reasoning }: Answer) {
  const calls: unknown = run?.output?.tool_calls;
  return {
    content: text === "" ? null : text,
    tool_calls: Array.isArray(calls) ? calls.filter(isObject) : [],
    reasoning_content: reasoning === "" ? null : reasoning,
  };
}
