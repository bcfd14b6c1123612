import type { ReactNode } from "react";

import { useCanWrite } from "@/api/session";

/** What changes something: who can only view the project does not see it. */
export function ForWriters({ children }: { children: ReactNode }) {
  return useCanWrite() ? children : null;
}
