/** One playground for each call that was opened, kept as long as the editor is open. */
import { createContext, useContext } from "react";
import { createStore, useStore, type StoreApi } from "zustand";

import {
  type Playground,
  type PlaygroundEvent,
  reducePlayground,
} from "@/features/tape-editor/playground/playground";

export interface PlaygroundStore extends Playground {
  dispatch: (event: PlaygroundEvent) => void;
}

export function createPlaygroundStore(start: Playground): StoreApi<PlaygroundStore> {
  return createStore<PlaygroundStore>((set) => ({
    ...start,
    dispatch: (event) => set((playground) => reducePlayground(playground, event)),
  }));
}

const PlaygroundContext = createContext<StoreApi<PlaygroundStore> | null>(null);
export const PlaygroundProvider = PlaygroundContext.Provider;

export function usePlaygroundApi(): StoreApi<PlaygroundStore> {
  const store = useContext(PlaygroundContext);
  if (store === null) throw new Error("This must be rendered inside a playground.");
  return store;
}

export function usePlayground<T>(select: (playground: PlaygroundStore) => T): T {
  return useStore(usePlaygroundApi(), select);
}
