/** The people of the project, and the invitations that have not been used yet. */
import { queryOptions, useMutation } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { Role } from "@/api/types";
import { useChange } from "@/api/useChange";

const key = ["people"];
const changed = [key, ["session"]];
const of = (userId: number) => ({ params: { path: { user_id: userId } } });

export function peopleQuery() {
  return queryOptions({
    queryKey: [...key, "members"],
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/people", { signal }))).items,
  });
}

/** For owners only; the server refuses others. */
export function invitationsQuery() {
  return queryOptions({
    queryKey: [...key, "invitations"],
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET("/api/v1/invitations", { signal }))).items,
  });
}

export function useChangeRole() {
  return useChange(changed, ({ userId, role }: { userId: number; role: Role }) =>
    settle(client.PATCH("/api/v1/people/{user_id}", { ...of(userId), body: { role } })),
  );
}

export function useRemoveMember() {
  return useChange(changed, (userId: number) =>
    settle(client.DELETE("/api/v1/people/{user_id}", of(userId))),
  );
}

export function useLeave() {
  return useMutation({ mutationFn: () => settle(client.DELETE("/api/v1/membership")) });
}

/** The response is the only place that contains the link. */
export function useInvite() {
  return useChange(changed, (role: Role) =>
    unwrap(client.POST("/api/v1/invitations", { body: { role } })),
  );
}

export function useRevokeInvitation() {
  return useChange(changed, (id: string) =>
    settle(
      client.DELETE("/api/v1/invitations/{invitation_id}", {
        params: { path: { invitation_id: id } },
      }),
    ),
  );
}
