import type { QueryKey } from "@tanstack/react-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Ask for a change; afterwards, done or refused, what was read under the keys is read anew. */
export function useChange<Asked, Made>(
  keys: readonly QueryKey[],
  change: (asked: Asked) => Promise<Made>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
