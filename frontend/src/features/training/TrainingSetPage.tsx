/** One training set: its contents, what was skipped, and its examples as a model learns them. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { useCanWrite } from "@/api/session";
import { trainingSetQuery } from "@/api/training";
import type { TrainingSet } from "@/api/types";
import { Examples } from "@/features/training/examples/Examples";
import { LeftOut } from "@/features/training/LeftOut";
import { LoadedFrame } from "@/features/training/LoadedFrame";
import { SetExport } from "@/features/training/SetExport";
import { SetFacts } from "@/features/training/SetFacts";
import classes from "@/features/training/training.module.css";
import { countOf, formatBytes, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { ShortId } from "@/ui/ShortId";

export function TrainingSetPage() {
  const { setId = "" } = useParams();
  return (
    <LoadedFrame
      list={{ to: "/training", what: "training sets" }}
      what="Training set"
      query={useQuery(trainingSetQuery(setId))}
      header={(set) => <Header set={set} />}
    >
      {(set) => (
        <>
          <About set={set} />
          <Examples set={set} />
        </>
      )}
    </LoadedFrame>
  );
}

/** Notes on the examples: which are recorded tokens, and which tapes gave none. */
function About({ set }: { set: TrainingSet }) {
  const { facts, left_out: reasons, stands_on: stands } = set;
  const { base, group_count: groups, parts } = facts;
  const isPlain = reasons.length === 0 && base === "" && groups === 0 && parts.length === 0;
  if (isPlain && stands.length === 0) return null;
  return (
    <section className={classes.making} aria-label="About its examples">
      {stands.length > 0 && (
        <p>
          Based on{" "}
          {stands.map(({ dataset, version, dataset_id: id }, at) => (
            <span key={`${id} ${version}`}>
              {at > 0 && ", "}
              <Link to={`/datasets/${id}`}>
                {visibleText(dataset)}, version {version}
              </Link>
            </span>
          ))}
          .
        </p>
      )}
      {base !== "" && <p>Made for {visibleText(base)}.</p>}
      <SetFacts facts={facts} />
      <LeftOut reasons={reasons} />
    </section>
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
      <SetExport setId={set.id} hasHeldOut={set.held_out_count > 0} />
      <Button component={Link} to="/training?tab=sets" variant="default">
        All training sets
      </Button>
      {canWrite && (
        <Button component={Link} to={`/training?new=finetune&set=${set.id}`}>
          Finetune with this set
        </Button>
      )}
    </PageHeader>
  );
}
