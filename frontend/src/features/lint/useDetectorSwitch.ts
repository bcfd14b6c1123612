import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { lintKeys, switchDetector } from "@/api/lint";
import { tapeKeys } from "@/api/tapes";

interface Switch {
  name: string;
  isEnabled: boolean;
}

/** Turns a detector on or off in the project; what was counted is counted again. */
export function useDetectorSwitch() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, isEnabled }: Switch) => switchDetector(name, isEnabled),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: lintKeys.all });
      await queries.invalidateQueries({ queryKey: tapeKeys.lists });
    },
    onError: (error) =>
      notifications.show({
        title: "The detector was not changed",
        message: describeError(error),
        color: "red",
      }),
  });
}
