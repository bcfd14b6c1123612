/** The people of the project, and the invitations that nobody has used yet. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { Role } from "@/api/types";

const key = ["people"];
const of = (userId: number) => ({ params: { path: { user_id: userId } } });

export function peopleQuery() {
  return queryOptions({
    queryKey: [...key, "members"],
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/people", { signal }))).items,
  });
}

/** For owners; others are refused. */
export function invitationsQuery() {
  return queryOptions({
    queryKey: [...key, "invitations"],
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET("/api/v1/invitations", { signal }))).items,
  });
}

function useChange<Asked, Made>(change: (asked: Asked) => Promise<Made>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: key }),
        queries.invalidateQueries({ queryKey: ["session"] }),
      ]),
  });
}

export function useChangeRole() {
  return useChange(({ userId, role }: { userId: number; role: Role }) =>
    settle(client.PATCH("/api/v1/people/{user_id}", { ...of(userId), body: { role } })),
  );
}

export function useRemoveMember() {
  return useChange((userId: number) =>
    settle(client.DELETE("/api/v1/people/{user_id}", of(userId))),
  );
}

export function useLeave() {
  return useMutation({ mutationFn: () => settle(client.DELETE("/api/v1/membership")) });
}

/** The answer is the only place where the link is told. */
export function useInvite() {
  return useChange((role: Role) => unwrap(client.POST("/api/v1/invitations", { body: { role } })));
}

export function useRevokeInvitation() {
  return useChange((id: string) =>
    settle(
      client.DELETE("/api/v1/invitations/{invitation_id}", {
        params: { path: { invitation_id: id } },
      }),
    ),
  );
}
