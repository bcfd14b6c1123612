/** What the editor shows of another feature: `app` passes it, because features know none. */
import { createContext, useContext, type ReactNode } from "react";

export interface Compared {
  /** The open tape. */
  tapeId: string;
  otherId: string;
  /** Said above the steps, when it is not empty. */
  notice: string;
}

export type DrawCompared = (compared: Compared) => ReactNode;

const CompareContext = createContext<DrawCompared | null>(null);
export const CompareProvider = CompareContext.Provider;

export function useDrawCompared(): DrawCompared | null {
  return useContext(CompareContext);
}
