/** The families that people assign to kinds that the studio does not know. */
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { familyKeys } from "@/api/families";
import { lintKeys } from "@/api/lint";
import { showFailure } from "@/api/showFailure";
import { tapeKeys } from "@/api/tapes";
import type { KindFamilyChange, KindFamilyIn } from "@/api/types";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { offerUndo } from "@/ui/undoToast";

const kindFamilyKeys = { all: ["kind-families"] as const };

/** The project's unknown kinds with their families, guessed or assigned. */
export function kindFamiliesQuery() {
  return queryOptions({
    queryKey: kindFamilyKeys.all,
    queryFn: async () => (await unwrap(client.GET("/api/v1/step-kinds/families"))).items,
  });
}

/** Set the family of a kind in the project, or have it guessed again; a toast offers undo. */
export function useSetKindFamily() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: setFamily,
    onSuccess: async (change) => {
      const { kind, before } = change;
      offerUndo(describeChange(change), () => {
        setFamily({ kind, family: before }).then(() => refresh(queries), showError);
      });
      await refresh(queries);
    },
    onError: showError,
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

function showError(error: unknown) {
  showFailure("The family was not changed", error);
}

async function refresh(queries: QueryClient): Promise<void> {
  // Recorded steps are cached as static, and static queries are not refetched by themselves.
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
