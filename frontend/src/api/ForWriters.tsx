import type { ReactNode } from "react";

import { useCanWrite } from "@/api/session";

/** Controls that change something; hidden from viewers, who cannot write to the project. */
export function ForWriters({ children }: { children: ReactNode }) {
  return useCanWrite() ? children : null;
}
