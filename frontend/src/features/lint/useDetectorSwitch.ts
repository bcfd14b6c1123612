import { useMutation, useQueryClient } from "@tanstack/react-query";

import { lintKeys, switchDetector } from "@/api/lint";
import { showFailure } from "@/api/showFailure";
import { tapeKeys } from "@/api/tapes";

interface Switch {
  name: string;
  isEnabled: boolean;
}

/** Turns a detector on or off in the project, and refetches counts and lists. */
export function useDetectorSwitch() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, isEnabled }: Switch) => switchDetector(name, isEnabled),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: lintKeys.all });
      await queries.invalidateQueries({ queryKey: tapeKeys.lists });
    },
    onError: (error) => showFailure("The detector was not changed", error),
  });
}
