/** The breakpoints in effect: those of the current run, else those of the next one. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { jobQuery, setBreakpoints } from "@/api/jobs";
import type { Breakpoint } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";
import { isUnfinished } from "@/features/tape-editor/live";
import { useRunJob } from "@/features/tape-editor/run/useLiveRun";
import { toggleBreakpoint } from "@/features/tape-editor/choice";

export function useBreakpoints() {
  const job = useRunJob();
  const queries = useQueryClient();
  const chosen = useEditor(({ choice }) => choice.breakpoints);
  const isRunning = useEditor(({ live }) => isUnfinished(live.state));
  const dispatch = useEditor((editor) => editor.dispatch);
  const live = isRunning ? job : null;
  const breakpoints: readonly Breakpoint[] = live?.control.breakpoints ?? chosen;
  const send = useMutation({
    mutationFn: async (next: Breakpoint[]) => {
      if (live === null) return null;
      return setBreakpoints(live.id, next);
    },
    onSuccess: (answered, next) => {
      if (answered !== null) queries.setQueryData(jobQuery(answered.id).queryKey, answered);
      // The next run pauses there too.
      dispatch({ type: "choice.changed", part: { breakpoints: next } });
    },
  });
  const replace = (next: Breakpoint[]) => send.mutate(next);
  return {
    breakpoints,
    replace,
    toggle: (one: Breakpoint) => replace(toggleBreakpoint(breakpoints, one)),
    error: send.error,
  };
}
