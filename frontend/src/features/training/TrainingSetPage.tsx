/** One training set: what it holds, what was left out, and its examples as they are learnt. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { trainingSetQuery } from "@/api/training";
import type { TrainingSet } from "@/api/types";
import { Examples } from "@/features/training/examples/Examples";
import { LeftOut } from "@/features/training/LeftOut";
import classes from "@/features/training/training.module.css";
import { countOf, formatBytes, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
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
      {set.data.left_out.length > 0 && (
        <section className={classes.making} aria-label="What was left out">
          <LeftOut reasons={set.data.left_out} />
        </section>
      )}
      <Examples set={set.data} />
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
          {countOf(set.train_count, set.kind === "preference" ? "preference pair" : "example")} to
          learn, {formatExact(set.held_out_count)} held out, from {countOf(set.tape_count, "tape")},{" "}
          {formatBytes(set.size_bytes)} <ShortId id={set.content_hash} />
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
