/**
 * Which folds are open. A virtual list forgets what it no longer draws, so its owner remembers;
 * without an owner each fold remembers itself.
 */
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

export interface TextStyle {
  /** Whether Markdown is rendered rather than shown as source. */
  isRendered: boolean;
}

/** How the texts below this provider are drawn. */
const LookContext = createContext<TextStyle>({ isRendered: true });
export const LookProvider = LookContext.Provider;

export function useTextLook(): TextStyle {
  return useContext(LookContext);
}
