/** The family that people tell for a kind which the studio does not know. */
import { notifications } from "@mantine/notifications";
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { client, describeError, unwrap } from "@/api/client";
import { familyKeys } from "@/api/families";
import { lintKeys } from "@/api/lint";
import { tapeKeys } from "@/api/tapes";
import type { KindFamilyChange, KindFamilyIn } from "@/api/types";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { offerUndo } from "@/ui/undoToast";

const kindFamilyKeys = { all: ["kind-families"] as const };

/** The unknown kinds of the project with their families, guessed or told. */
export function kindFamiliesQuery() {
  return queryOptions({
    queryKey: kindFamilyKeys.all,
    queryFn: async () => (await unwrap(client.GET("/api/v1/step-kinds/families"))).items,
  });
}

/** Set the family of a kind in the project, or guess it again; a toast takes it back. */
export function useSetKindFamily() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: setFamily,
    onSuccess: async (change) => {
      const { kind, before } = change;
      offerUndo(describeChange(change), () => {
        setFamily({ kind, family: before }).then(() => refresh(queries), tellError);
      });
      await refresh(queries);
    },
    onError: tellError,
  });
}

function setFamily(body: KindFamilyIn) {
  return unwrap(client.PUT("/api/v1/step-kinds/families", { body }));
}

function describeChange({ kind, family, changed_count }: KindFamilyChange): string {
  const now = describeFamily(family);
  return `The family of ${visibleText(kind)} ${now}; ${countOf(changed_count, "step")} changed`;
}

function describeFamily(family: KindFamilyChange["family"]): string {
  if (family === null) return "is guessed again";
  return family === "stop" ? "is an action that ends the tape now" : `is ${family} now`;
}

function tellError(error: unknown) {
  notifications.show({ message: describeError(error), color: "red" });
}

async function refresh(queries: QueryClient): Promise<void> {
  // Recorded steps count as settled, and what is settled is not asked for again by itself.
  for (const query of queries.getQueryCache().findAll({ queryKey: tapeKeys.all })) {
    if (!query.isActive()) queries.removeQueries({ queryKey: query.queryKey, exact: true });
    else if (query.isStatic()) query.fetch().catch(() => undefined);
  }
  await Promise.all(
    [tapeKeys.all, familyKeys.all, lintKeys.all, kindFamilyKeys.all].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}
