import { Button, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useCallback, type ReactNode } from "react";

import { describeError } from "@/api/client";
import { type AlikeAgent, readAlike, replayTape } from "@/features/tape-editor/header/api";
import { useActions, useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/header/header.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState } from "@/ui/States";

export interface ReplayCheck {
  run: () => void;
  isBusy: boolean;
  /** Shows the result. */
  dialog: ReactNode;
}

/** Runs the agent again on the recorded answers: does it still do what is on the tape? */
export function useReplayCheck(): ReplayCheck {
  const { tape } = useTapeModel();
  const { mutate, reset, ...replay } = useMutation({
    mutationFn: (versionId?: string) => replayTape(tape.id, versionId),
  });
  const run = useCallback(() => mutate(undefined), [mutate]);
  const alike = readAlike(replay.error);
  const dialog = (
    <Modal
      opened={!replay.isIdle}
      onClose={reset}
      title="Replay check"
      size={720}
      closeOnClickOutside={!replay.isPending}
    >
      {replay.isPending && <p role="status">Running the agent on its recorded answers…</p>}
      {alike !== null && (
        <WriterUnknown message={describeError(replay.error)} alike={alike} onChoose={mutate} />
      )}
      {replay.isError && alike === null && (
        <ErrorState
          title="The tape could not be replayed"
          message={describeError(replay.error)}
          onRetry={run}
        />
      )}
      {replay.isSuccess && <Result result={replay.data} onClose={reset} />}
    </Modal>
  );
  return { run, isBusy: replay.isPending, dialog };
}

interface WriterUnknownProps {
  message: string;
  alike: readonly AlikeAgent[];
  onChoose: (versionId: string) => void;
}

/** The agent that wrote the tape is unknown: a similar one may stand in. */
function WriterUnknown({ message, alike, onChoose }: WriterUnknownProps) {
  return (
    <div className="ts-stack" role="alert">
      <p>{visibleText(message)}</p>
      <div className="ts-row">
        {alike.map(({ agent_version_id: id, name, number, overlap }) => (
          <Button
            key={id}
            variant="default"
            title={`${Math.round(overlap * 100)} % of agents and nodes are the same`}
            onClick={() => onChoose(id)}
          >
            Replay with {visibleText(name)} v{number}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface ResultProps {
  result: Awaited<ReturnType<typeof replayTape>>;
  onClose: () => void;
}

function Result({ result, onClose }: ResultProps) {
  const actions = useActions();
  const { divergence } = result;
  const compared = `${countOf(result.node_run_count, "node run")}, ${countOf(result.step_count, "step")} compared.`;
  if (divergence === null) {
    return <p className="ts-good">The replay is identical. {compared}</p>;
  }
  return (
    <div className="ts-stack">
      <p className={classes.bad}>
        First difference at step {divergence.position}: {visibleText(divergence.message)}
      </p>
      <p>{compared}</p>
      {divergence.diff !== "" && <UnifiedDiff text={divergence.diff} />}
      <Button
        variant="default"
        style={{ alignSelf: "flex-start" }}
        onClick={() => {
          actions.select(divergence.position);
          onClose();
        }}
      >
        Go to step {divergence.position}
      </Button>
    </div>
  );
}

/** Lines in `diff` format: removed ones begin with a minus, added ones with a plus. */
function UnifiedDiff({ text }: { text: string }) {
  return (
    <pre className={`ts-panel ts-words ${classes.diff}`}>
      {text.split("\n").map((line, at) => (
        <span key={at} className={classes.diffLine} data-op={opOf(line)}>
          {visibleText(line)}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function opOf(line: string): "added" | "removed" | "head" | undefined {
  if (/^(---|\+\+\+|@@)/.test(line)) return "head";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : undefined;
}
