/** Makes a training set from the selected tapes of the list, or from those of a query. */
import { Button, Modal } from "@mantine/core";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { readMadeSet, useMakeSet, type MadeSet } from "@/api/training";
import { useFollowedJob } from "@/api/useFollowedJob";
import { LeftOut } from "@/features/training/LeftOut";
import { SetFacts } from "@/features/training/SetFacts";
import { SetForm } from "@/features/training/SetForm";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { FollowedJob } from "@/ui/FollowedJob";

interface NewSetProps {
  isOpen: boolean;
  onClose: () => void;
}

export function NewSet({ isOpen, onClose }: NewSetProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New training set" size={560}>
      <Making />
    </Modal>
  );
}

function Making() {
  const make = useMakeSet();
  if (make.data !== undefined) {
    return <SetJob jobId={make.data.id} />;
  }
  return (
    <SetForm
      onSubmit={make.mutate}
      isPending={make.isPending}
      refusal={make.isError ? describeError(make.error) : null}
    />
  );
}

function SetJob({ jobId }: { jobId: string }) {
  return (
    <FollowedJob
      followed={useFollowedJob(jobId)}
      what="training set"
      note="You can leave this page; it keeps running."
      cancelled="Making the training set was cancelled."
      result={({ result }) => {
        const made = readMadeSet(result);
        return made === null ? null : <Made made={made} />;
      }}
    />
  );
}

function Made({ made }: { made: MadeSet }) {
  const id = made.training_set_id;
  return (
    <>
      <p>
        {countOf(made.train_count, "example")} to learn and{" "}
        {countOf(made.held_out_count, "example")} held out, from {countOf(made.tapes, "tape")}.
      </p>
      {made.facts !== undefined && <SetFacts facts={made.facts} />}
      <LeftOut reasons={made.left_out} />
      {Object.entries(made.examples_left_out).map(([why, count]) => (
        <p key={why} className="ts-dimmed">
          {countOf(count, "LLM call")} left out: {visibleText(why)}
        </p>
      ))}
      <div className="ts-row">
        <Button component={Link} to={`/training?new=finetune&set=${id}`}>
          Finetune with this set
        </Button>
        <Button component={Link} to={`/training/sets/${id}`} variant="default">
          Show the examples
        </Button>
      </div>
    </>
  );
}
