/** One training set: what it holds, what was left out, and its examples as they are learnt. */
import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { examplesQuery, trainingSetQuery, type Side } from "@/api/training";
import type { TrainingSet } from "@/api/types";
import { ExampleCard } from "@/features/training/ExampleCard";
import { LeftOut } from "@/features/training/LeftOut";
import classes from "@/features/training/training.module.css";
import { countOf, formatBytes, formatExact } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { MoreButton } from "@/ui/MoreButton";
import { PageHeader } from "@/ui/PageHeader";
import { ShortId } from "@/ui/ShortId";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function TrainingSetPage() {
  const { setId = "" } = useParams();
  const set = useQuery(trainingSetQuery(setId));
  const retry = () => void set.refetch();
  if (set.data === undefined) {
    return (
      <>
        <PageHeader title="Training set" />
        {set.isPending ? (
          <RowsSkeleton label="Loading the training set" rows={6} />
        ) : (
          <ErrorState
            title="The training set could not be loaded"
            message={describeError(set.error)}
            onRetry={retry}
          />
        )}
      </>
    );
  }
  return (
    <>
      <Header set={set.data} />
      {set.isError && <StaleNotice message={describeError(set.error)} onRetry={retry} />}
      <div className={classes.page}>
        {set.data.left_out.length > 0 && (
          <section className={classes.section} aria-label="What was left out">
            <LeftOut reasons={set.data.left_out} />
          </section>
        )}
        <Examples set={set.data} />
      </div>
    </>
  );
}

function Header({ set }: { set: TrainingSet }) {
  const canWrite = useCanWrite();
  return (
    <PageHeader
      title={visibleText(set.name)}
      note={
        <>
          {countOf(set.train_count, "example")} to learn, {formatExact(set.held_out_count)} held
          out, from {countOf(set.tape_count, "tape")}, {formatBytes(set.size_bytes)}{" "}
          <ShortId id={set.content_hash} />
        </>
      }
    >
      <Button component={Link} to="/training?tab=sets" variant="default">
        All training sets
      </Button>
      {canWrite && (
        <Button component={Link} to={`/training?new=finetune&set=${set.id}`}>
          Finetune with it
        </Button>
      )}
    </PageHeader>
  );
}

const SIDES: { value: Side; label: string }[] = [
  { value: "train", label: "Learnt" },
  { value: "held_out", label: "Held out" },
];

function Examples({ set }: { set: TrainingSet }) {
  const [address, change] = useAddress();
  const side: Side = address.get("side") === "held_out" ? "held_out" : "train";
  const examples = useInfiniteQuery(examplesQuery(set.id, side));
  const items = examples.data?.pages.flatMap((page) => page.items) ?? [];
  const total = examples.data?.pages[0]?.total ?? 0;
  return (
    <section className={classes.section} aria-label="Examples">
      <SegmentedControl
        aria-label="Which examples"
        data={SIDES}
        value={side}
        onChange={(value) => change({ side: value })}
      />
      {examples.isPending && <RowsSkeleton label="Loading examples" rows={6} />}
      {examples.isError && (
        <ErrorState
          title="The examples could not be loaded"
          message={describeError(examples.error)}
          onRetry={() => void examples.refetch()}
        />
      )}
      {examples.isSuccess && items.length === 0 && (
        <p className="ts-dimmed">
          No example is held out: nothing is measured beside the loss of what is learnt.
        </p>
      )}
      {items.map((example, at) => (
        <ExampleCard key={example.id} example={example} number={at + 1} />
      ))}
      {examples.hasNextPage && (
        <MoreButton onClick={() => void examples.fetchNextPage()}>
          Show more ({formatExact(total - items.length)} left)
        </MoreButton>
      )}
    </section>
  );
}
