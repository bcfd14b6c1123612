/** The playground over the editor; what was typed in it stays as long as the editor is open. */
import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import type { StoreApi } from "zustand";

import classes from "@/features/tape-editor/playground/playground.module.css";
import type { PlaygroundStore } from "@/features/tape-editor/playground/playgroundStore";
import { useTapeModel } from "@/features/tape-editor/editor";
import { EmptyState, RowsSkeleton } from "@/ui/States";

const PlaygroundScreen = lazy(async () => ({
  default: (await import("@/features/tape-editor/playground/PlaygroundScreen")).PlaygroundScreen,
}));

interface PlaygroundHostProps {
  selected: number | null;
  isOpen: boolean;
  /** `step`: the position to go to. */
  onClose: (step?: number) => void;
}

export function PlaygroundHost({ selected, isOpen, onClose }: PlaygroundHostProps) {
  const { steps } = useTapeModel();
  const [kept] = useState(() => new Map<string, StoreApi<PlaygroundStore>>());
  const isNarrow = useMediaQuery("(max-width: 1000px)", undefined, {
    getInitialValueInEffect: false,
  });
  const row = selected === null ? undefined : steps.at(selected);
  const callId = row?.recorded?.call_id ?? null;
  return (
    <Modal
      opened={isOpen}
      onClose={() => onClose()}
      title="Playground"
      fullScreen={isNarrow}
      size="calc(100vw - 64px)"
      classNames={{ content: classes.content, body: classes.body, header: classes.header }}
    >
      {callId === null ? (
        <EmptyState title="No prompt">
          Select a step that a model wrote, then open the playground from its prompt.
        </EmptyState>
      ) : (
        <Suspense fallback={<RowsSkeleton rows={8} label="Opening the playground" />}>
          <PlaygroundScreen key={callId} callId={callId} kept={kept} onClose={onClose} />
        </Suspense>
      )}
    </Modal>
  );
}
