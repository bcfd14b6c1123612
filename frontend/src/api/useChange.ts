import type { QueryKey } from "@tanstack/react-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Request a change; afterwards, done or refused, refetch what is cached under the keys. */
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
