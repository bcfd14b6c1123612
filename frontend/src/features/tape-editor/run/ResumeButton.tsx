import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconCheck, IconChevronDown, IconPlayerPlay, IconVersions } from "@tabler/icons-react";
import type { ReactNode } from "react";

import type { RunChoice } from "@/features/tape-editor/choice";
import classes from "@/features/tape-editor/run/run.module.css";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";

interface ResumeButtonProps {
  setup: RunSetup;
  canResume: boolean;
  isPending: boolean;
  onResume: (changed: Partial<RunChoice>) => void;
}

/** Starts one run, or asks for several; the menu next to it chooses where to start. */
export function ResumeButton({ setup, canResume, isPending, onResume }: ResumeButtonProps) {
  const { choice, fit } = setup;
  const words = useResumeWords(setup);
  const askRunN = useAskRunN(setup);
  const next = fit === null || fit.node === "" ? "" : `: ${fit.agent}.${fit.node} runs next`;
  return (
    <Button.Group className={classes.resume}>
      {choice.count > 1 ? (
        <Button leftSection={<IconVersions size={14} />} onClick={askRunN}>
          Run {choice.count}
        </Button>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={14} />}
          loading={isPending}
          disabled={!canResume}
          title={`${words} (Ctrl or ⌘ Enter)${next}`}
          onClick={() => onResume({})}
        >
          {words}
        </Button>
      )}
      <StartMenu setup={setup} canResume={canResume} onResume={onResume} onRunN={askRunN} />
    </Button.Group>
  );
}

function useResumeWords({ hasDraft, place }: RunSetup): string {
  const isPaused = useEditor(({ live }) => live.state === "paused");
  if (!hasDraft) return "Resume";
  return isPaused ? "Continue with the edit" : `Resume from step ${place.keep}`;
}

interface StartMenuProps {
  setup: RunSetup;
  canResume: boolean;
  onResume: (changed: Partial<RunChoice>) => void;
  onRunN: () => void;
}

function StartMenu({ setup, canResume, onResume, onRunN }: StartMenuProps) {
  const { choice, change, hasDraft } = setup;
  const { slots, resumeAt, unaffected } = useTapeModel();
  return (
    <Menu position="top-start">
      <Menu.Target>
        <ActionIcon
          className={classes.more}
          variant="filled"
          color="indigo"
          aria-label="Ways to start"
        >
          <IconChevronDown size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {hasDraft && resumeAt !== null && (
          <>
            <Menu.Label>Continue from</Menu.Label>
            <Menu.Item
              leftSection={<Chosen isChosen={choice.from === "edit"} />}
              onClick={() => change({ from: "edit" })}
            >
              After the edit, keeping {countOf(resumeAt + unaffected.size, "step")}
            </Menu.Item>
            <Menu.Item
              leftSection={<Chosen isChosen={choice.from === "end"} />}
              onClick={() => change({ from: "end" })}
            >
              At the end, keeping {countOf(slots.length, "step")}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item
          leftSection={<IconPlayerPlay size={14} />}
          disabled={!canResume}
          onClick={() => onResume({ isStepping: true })}
        >
          Resume step by step
        </Menu.Item>
        <Menu.Item leftSection={<IconVersions size={14} />} onClick={onRunN}>
          Run N times
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Chosen({ isChosen }: { isChosen: boolean }): ReactNode {
  return isChosen ? (
    <IconCheck size={14} aria-label="Selected" />
  ) : (
    <span className={classes.unchosen} />
  );
}

/** Several runs are an experiment: the address opens its dialog. */
function useAskRunN({ choice, place }: RunSetup): () => void {
  const [, change] = useAddress();
  const count = choice.count > 1 ? { count: String(choice.count) } : {};
  return () => change({ n: "new", step: String(Math.max(0, place.keep - 1)), ...count });
}
