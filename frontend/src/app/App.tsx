import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { RouterProvider } from "react-router/dom";

import { createQueryClient } from "@/api/queryClient";
import { createRouter } from "@/app/router";
import { Look } from "@/ui/Look";

export function App() {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createRouter(queryClient));
  return (
    <Look>
      <QueryClientProvider client={queryClient}>
        {/* A transition would leave the keys to the old screen while the address already changed. */}
        <RouterProvider router={router} useTransitions={false} />
      </QueryClientProvider>
    </Look>
  );
}
