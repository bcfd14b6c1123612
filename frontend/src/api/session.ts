/** The session. Signing in and out are pages of the server; this module links to them. */
import { queryOptions, useQuery } from "@tanstack/react-query";

import { client, readCookie, unwrap } from "@/api/client";
import { forgetProject, nameProjectInAddress, stayInProject } from "@/lib/project";

export async function signOut(): Promise<void> {
  await fetch("/logout/", {
    method: "POST",
    headers: { "X-CSRFToken": readCookie("csrftoken") },
    credentials: "same-origin",
  });
  forgetProject(); // the next person at this browser has projects of their own
  goToSignIn();
}

export function goToSignIn(): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/login/?next=${encodeURIComponent(here)}`);
}

export function sessionQuery() {
  return queryOptions({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      const session = await unwrap(client.GET("/api/v1/session", { signal }));
      stayInProject(session.project_id, { isOneOfSeveral: session.projects.length > 1 });
      nameProjectInAddress();
      return session;
    },
    staleTime: Infinity,
  });
}

/** Whether the person may change anything here; assumed until the server denies it. */
export function useCanWrite(): boolean {
  return useQuery(sessionQuery()).data?.can_write !== false;
}
