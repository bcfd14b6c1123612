/** The scorers that sweeps over a dataset may use, and importing graders of OpenAI Evals. */
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconFileImport, IconTrash } from "@tabler/icons-react";
import { useState } from "react";

import { describeError } from "@/api/client";
import { scorersQuery, useDeleteScorer } from "@/api/datasetVersions";
import { useCanWrite } from "@/api/session";
import type { Dataset } from "@/api/types";
import classes from "@/features/datasets/datasets.module.css";
import { TakeGraders } from "@/features/datasets/TakeGraders";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";

export function Scorers({ dataset }: { dataset: Dataset }) {
  const scorers = useQuery(scorersQuery(dataset.id));
  const canWrite = useCanWrite();
  const remove = useDeleteScorer(dataset.id);
  const [isTaking, setTaking] = useState(false);
  const rows = scorers.data ?? [];
  return (
    <section className="ts-section" aria-labelledby="scorers">
      <div className={`ts-row ${classes.heading}`}>
        <h2 id="scorers">Scorers</h2>
        {canWrite && (
          <Button
            variant="default"
            leftSection={<IconFileImport size={14} />}
            onClick={() => setTaking(true)}
          >
            Graders of OpenAI Evals
          </Button>
        )}
      </div>
      {scorers.isError && <p role="alert">{describeError(scorers.error)}</p>}
      {remove.isError && <p role="alert">{describeError(remove.error)}</p>}
      {scorers.isSuccess && rows.length === 0 && (
        <p className="ts-dimmed">
          None. A sweep is decided by expected answers, unless you choose otherwise when you start
          it.
        </p>
      )}
      {rows.length > 0 && (
        <PlainTable aria-labelledby="scorers">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Pass criterion</th>
              <th scope="col">
                <span className="ts-visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, words }) => (
              <tr key={id}>
                <td className={classes.cell}>{visibleText(name)}</td>
                <td className={classes.cell}>{visibleText(words)}</td>
                <td data-align="end">
                  {canWrite && (
                    <Tooltip label="Remove; its scores stay">
                      <ActionIcon
                        aria-label={`Forget ${visibleText(name)}`}
                        onClick={() => remove.mutate(id)}
                      >
                        <IconTrash size={15} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      <TakeGraders datasetId={dataset.id} isOpen={isTaking} onClose={() => setTaking(false)} />
    </section>
  );
}
