/** Creates or edits a rubric, next to a preview of what people will see. */
import { Alert, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";

import { describeError } from "@/api/client";
import { changeRubric, createRubric, rubricKeys, rubricsQuery } from "@/api/queues";
import { useCanWrite } from "@/api/session";
import type { StoredRubric } from "@/api/types";
import type { Values } from "@/features/annotate/choices";
import classes from "@/features/annotate/lists.module.css";
import { RubricFields } from "@/features/annotate/RubricFields";
import { RubricForm } from "@/features/annotate/RubricForm";
import {
  EMPTY_DRAFT,
  findProblems,
  SCORE_WORDS,
  tidied,
  withItems,
  type RubricDraft,
} from "@/features/annotate/rubricDraft";
import { visibleText } from "@/lib/visibleText";
import { LeaveGuard } from "@/ui/LeaveGuard";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";
import { offerUndo } from "@/ui/undoToast";

export function RubricPage() {
  const { rubricId = "" } = useParams();
  const rubrics = useQuery({ ...rubricsQuery(), enabled: rubricId !== "new" });
  if (rubricId === "new") return <Builder stored={null} />;
  const stored = rubrics.data?.find(({ id }) => id === rubricId);
  if (stored !== undefined)
    return <Builder key={`${stored.id} ${stored.version}`} stored={stored} />;
  return (
    <>
      <PageHeader title="Rubric" />
      {rubrics.isError ? (
        <ErrorState
          title="The rubric could not be loaded"
          message={describeError(rubrics.error)}
          onRetry={() => void rubrics.refetch()}
        />
      ) : rubrics.isPending ? (
        <RowsSkeleton label="Loading the rubric" rows={6} />
      ) : (
        <EmptyState
          title="This rubric does not exist"
          action={
            <Button component={Link} to="/queues/rubrics" variant="default">
              Go to rubrics
            </Button>
          }
        >
          The link may be outdated, or the rubric was deleted.
        </EmptyState>
      )}
    </>
  );
}

function Builder({ stored }: { stored: StoredRubric | null }) {
  const [before] = useState<RubricDraft>(
    stored === null ? EMPTY_DRAFT : { name: stored.name, rubric: stored.rubric },
  );
  const [draft, setDraft] = useState(before);
  const isSaved = useRef(false);
  const [tried, setTried] = useState<Values>({});
  const [isShown, setShown] = useState(false);
  const canWrite = useCanWrite();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const problems = findProblems(draft);
  const save = useMutation({
    mutationFn: () => {
      const body = tidied(draft);
      return stored === null ? createRubric(body) : changeRubric(stored.id, body);
    },
    onSuccess: async () => {
      isSaved.current = true;
      await queries.invalidateQueries({ queryKey: rubricKeys.all });
      await navigate("/queues/rubrics");
    },
  });
  const checkChanged = useCallback(() => draft !== before && !isSaved.current, [draft, before]);
  const onRemove = (at: number) => {
    const item = draft.rubric.items[at];
    if (item === undefined) return;
    setDraft((now) => withItems(now, (items) => items.toSpliced(at, 1)));
    offerUndo(`Item ${at + 1} was removed`, () =>
      setDraft((now) => withItems(now, (items) => items.toSpliced(at, 0, item))),
    );
  };
  const onSave = () => {
    setShown(true);
    if (!problems.hasAny) save.mutate();
  };
  return (
    <>
      <PageHeader
        title={stored === null ? "New rubric" : visibleText(stored.name)}
        note={stored === null ? undefined : `v${stored.version}`}
      >
        <Button component={Link} to="/queues/rubrics" variant="default">
          Rubrics
        </Button>
        {canWrite && (
          <Button onClick={onSave} loading={save.isPending}>
            Save
          </Button>
        )}
      </PageHeader>
      <LeaveGuard checkNeeded={checkChanged} what="Your changes to the rubric are not saved." />
      <div className={classes.builder}>
        <section className={classes.edit} aria-label="Rubric">
          {save.isError && (
            <Alert color="red" role="alert" title="Not saved" mb={12}>
              {describeError(save.error)}
            </Alert>
          )}
          {stored !== null && canWrite && (
            <p className={`ts-hint ${classes.help}`} style={{ marginBottom: 12 }}>
              Changed questions create version {stored.version + 1}; existing queues keep their they
              have.
            </p>
          )}
          <fieldset disabled={!canWrite}>
            <RubricFields
              draft={draft}
              problems={isShown ? problems : null}
              onChange={setDraft}
              onRemove={onRemove}
            />
          </fieldset>
        </section>
        <section className={classes.preview} aria-label="Preview">
          <h2 className={`ts-row ${classes.heading}`}>Preview</h2>
          <RubricForm rubric={draft.rubric} values={tried} onChange={setTried} />
          <p className={`ts-hint ${classes.help}`} style={{ marginTop: 16 }}>
            {draft.rubric.score.rule !== "none" && "Score: "}
            {SCORE_WORDS[draft.rubric.score.rule]}.
          </p>
        </section>
      </div>
    </>
  );
}
