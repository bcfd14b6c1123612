/** Render a screen at an address, inside everything that it needs. */
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { createMemoryRouter, RouterProvider, type InitialEntry } from "react-router";

import { createQueryClient } from "@/api/queryClient";
import { Look } from "@/ui/Look";

interface Screen {
  /** The route's pattern: "/agents/:agentId". */
  path: string;
  element: ReactElement;
  /** The address to open, or one with a state; by default the pattern itself. */
  at?: InitialEntry;
}

export function renderScreen({ path, element, at = path }: Screen) {
  const router = createMemoryRouter(
    [
      { path, element },
      { path: "*", element: <p>Somewhere else</p> },
    ],
    { initialEntries: [at] },
  );
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  render(
    <Look>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Look>,
  );
  const address = () => router.state.location.pathname + router.state.location.search;
  return { user: userEvent.setup(), address, router, queryClient };
}
