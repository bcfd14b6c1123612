import { Button, Modal } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { replayTape } from "@/features/tape-editor/header/api";
import { useActions, useTapeModel } from "@/features/tape-editor/editor";
import { HeaderButton } from "@/ui/HeaderButton";
import classes from "@/features/tape-editor/header/header.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState } from "@/ui/States";

/** Runs the agent again on the recorded answers: does it still do what the tape says? */
export function ReplayButton() {
  const { tape, isRunning } = useTapeModel();
  const replay = useMutation({ mutationFn: () => replayTape(tape.id) });
  return (
    <>
      <HeaderButton
        word="Replay check"
        icon={IconRepeat}
        loading={replay.isPending}
        disabled={isRunning}
        title="Run the agent again on the recorded answers and compare"
        onClick={() => replay.mutate()}
      />
      <Modal
        opened={replay.isSuccess || replay.isError}
        onClose={() => replay.reset()}
        title="Replay check"
        size={720}
      >
        {replay.isError && (
          <ErrorState
            title="The tape could not be replayed"
            message={describeError(replay.error)}
            onRetry={() => replay.mutate()}
          />
        )}
        {replay.isSuccess && <Result result={replay.data} onClose={() => replay.reset()} />}
      </Modal>
    </>
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

/** Lines as `diff` writes them: one that went begins with a minus, one that came with a plus. */
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

function opOf(line: string): "came" | "went" | "head" | undefined {
  if (/^(---|\+\+\+|@@)/.test(line)) return "head";
  if (line.startsWith("+")) return "came";
  return line.startsWith("-") ? "went" : undefined;
}
