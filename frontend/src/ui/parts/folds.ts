/** What is open of what folds. A virtual list forgets what it no longer draws, so its owner
 * remembers; without an owner each fold remembers itself. */
import { createContext, useCallback, useContext, useState, useSyncExternalStore } from "react";

export interface FoldMemory {
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
  subscribe: (onChange: () => void) => () => void;
}

const FoldContext = createContext<FoldMemory | null>(null);
export const FoldProvider = FoldContext.Provider;

export function useFold(key: string): readonly [isOpen: boolean, toggle: () => void] {
  const memory = useContext(FoldContext);
  const [isOwnOpen, setOwnOpen] = useState(false);
  const isOpen = useSyncExternalStore(
    memory?.subscribe ?? subscribeToNothing,
    () => memory?.isOpen(key) ?? isOwnOpen,
  );
  const toggle = useCallback(() => {
    if (memory === null) setOwnOpen((isNow) => !isNow);
    else memory.toggle(key);
  }, [memory, key]);
  return [isOpen, toggle];
}

const subscribeToNothing = () => () => undefined;

export interface TextLook {
  /** Markdown shows as it is meant, not as it is written. */
  isRendered: boolean;
}

/** How texts are to be drawn, below here. */
const LookContext = createContext<TextLook>({ isRendered: true });
export const LookProvider = LookContext.Provider;

export function useTextLook(): TextLook {
  return useContext(LookContext);
}
