/** The project's rubrics, and the presets that ship with the studio. */
import { Anchor, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { Link, useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { createRubric, deleteRubric, presetsQuery, rubricKeys, rubricsQuery } from "@/api/queues";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import type { RubricPreset, StoredRubric } from "@/api/types";
import classes from "@/features/annotate/lists.module.css";
import { SCORE_WORDS } from "@/features/annotate/rubricDraft";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PageHeader } from "@/ui/PageHeader";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function RubricsPage() {
  const rubrics = useQuery(rubricsQuery());
  const presets = useQuery(presetsQuery());
  const canWrite = useCanWrite();
  const names = new Set(rubrics.data?.map(({ name }) => name));
  const unused = (presets.data ?? []).filter(({ name }) => !names.has(name));
  return (
    <>
      <PageHeader
        title="Rubrics"
        guide="annotation"
        note={rubrics.data && countOf(rubrics.data.length, "rubric")}
      >
        <Button component={Link} to="/queues" variant="default">
          Queues
        </Button>
        {canWrite && (
          <Button component={Link} to="/queues/rubrics/new" leftSection={<IconPlus size={14} />}>
            New rubric
          </Button>
        )}
      </PageHeader>
      <div className={classes.page}>
        {rubrics.data !== undefined ? (
          <Rubrics rubrics={rubrics.data} canWrite={canWrite} />
        ) : rubrics.isError ? (
          <ErrorState
            title="The rubrics could not be loaded"
            message={describeError(rubrics.error)}
            onRetry={() => void rubrics.refetch()}
          />
        ) : (
          <RowsSkeleton label="Loading rubrics" rows={3} />
        )}
        {rubrics.data !== undefined && unused.length > 0 && (
          <Presets presets={unused} canWrite={canWrite} />
        )}
      </div>
    </>
  );
}

function Rubrics({ rubrics, canWrite }: { rubrics: readonly StoredRubric[]; canWrite: boolean }) {
  return (
    <section className={classes.section} aria-labelledby="rubrics">
      <h2 className={`ts-row ${classes.heading}`} id="rubrics">
        Rubrics of this project
      </h2>
      {rubrics.length === 0 ? (
        <p className={`ts-hint ${classes.help}`}>None yet. Create one, or add a preset below.</p>
      ) : (
        <PlainTable aria-label="Rubrics">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Questions</th>
              <th scope="col" data-hide>
                Score
              </th>
              <th scope="col">Version</th>
              <th scope="col" data-hide>
                Changed
              </th>
              <th scope="col">
                <span className="ts-visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rubrics.map((rubric) => (
              <RubricLine key={rubric.id} stored={rubric} canWrite={canWrite} />
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}

function RubricLine({ stored, canWrite }: { stored: StoredRubric; canWrite: boolean }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteRubric(stored.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: rubricKeys.all }),
    onError: (error) => showFailure("The rubric was not deleted", error),
  });
  const name = visibleText(stored.name);
  return (
    <tr>
      <td>
        <Anchor component={Link} to={`/queues/rubrics/${stored.id}`} size="sm">
          {name}
        </Anchor>
      </td>
      <td>{countOf(stored.rubric.items.length, "question")}</td>
      <td data-hide>{SCORE_WORDS[stored.rubric.score.rule]}</td>
      <td>v{stored.version}</td>
      <td data-hide className="ts-dimmed">
        <RelativeTime value={stored.updated_at} />
      </td>
      <td data-align="end">
        {canWrite && (
          <ConfirmButton
            question={`Delete ${name}? A rubric that a queue uses cannot be deleted.`}
            confirm="Delete"
            onConfirm={() => remove.mutate()}
            variant="subtle"
            color="gray"
            px={6}
            loading={remove.isPending}
          >
            <IconTrash size={16} stroke={1.75} role="img" aria-label={`Delete ${name}`} />
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}

function Presets({ presets, canWrite }: { presets: readonly RubricPreset[]; canWrite: boolean }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const take = useMutation({
    mutationFn: createRubric,
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: rubricKeys.all });
      await navigate(`/queues/rubrics/${id}`);
    },
    onError: (error) => showFailure("The rubric was not added", error),
  });
  return (
    <section className={classes.section} aria-labelledby="presets">
      <h2 className={`ts-row ${classes.heading}`} id="presets">
        Presets
      </h2>
      <PlainTable aria-label="Presets">
        <tbody>
          {presets.map((preset) => (
            <tr key={preset.name}>
              <td>
                <strong>{preset.name}</strong>
              </td>
              <td className="ts-dimmed">{preset.rubric.description}</td>
              <td data-align="end">
                {canWrite && (
                  <Button
                    variant="default"
                    aria-label={`Add ${preset.name} to the project`}
                    loading={take.isPending && take.variables.name === preset.name}
                    onClick={() => take.mutate(preset)}
                  >
                    Add
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}
