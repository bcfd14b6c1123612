/** Another feature's view in the editor: `app` passes it, as features do not import each other. */
import { createContext, useContext, type ReactNode } from "react";

export interface Compared {
  /** The open tape. */
  tapeId: string;
  otherId: string;
  /** Shown above the steps, unless it is empty. */
  notice: string;
}

export type DrawCompared = (compared: Compared) => ReactNode;

const CompareContext = createContext<DrawCompared | null>(null);
export const CompareProvider = CompareContext.Provider;

export function useDrawCompared(): DrawCompared | null {
  return useContext(CompareContext);
}
