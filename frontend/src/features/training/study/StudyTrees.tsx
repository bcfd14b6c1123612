/** The dialogue trees of a study: how balanced they are, and each dialogue as a tape. */
import { Button, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { studyTreeQuery, treeDialoguesQuery, useOpenDialogue, type TreePlace } from "@/api/studies";
import type { StudyDetails, TreeBalance, TreeDialogue, TreeName } from "@/api/types";
import classes from "@/features/training/training.module.css";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { ErrorState, RowsSkeleton } from "@/ui/States";

const LABELS: { value: TreeName; label: string }[] = [
  { value: "train", label: "To learn from" },
  { value: "openings", label: "Openings" },
  { value: "test", label: "To ask about" },
];

export function StudyTrees({ details: { study, pieces } }: { details: StudyDetails }) {
  const [chosen, setChosen] = useState<TreeName | null>(null);
  const there = LABELS.filter(({ value }) =>
    pieces.some(({ name: one }) => one === `${value} trees`),
  );
  const name = chosen ?? there[0]?.value ?? "test";
  const isOver = pieces.some((piece) => piece.name === `${name} trees` && piece.is_done);
  return (
    <section className="ts-section" aria-labelledby="trees">
      <div className="ts-row">
        <h2 id="trees">Dialogue trees</h2>
        <SegmentedControl aria-label="Trees" data={there} value={name} onChange={setChosen} />
      </div>
      {isOver ? (
        <Tree key={name} jobId={study.job_id} name={name} />
      ) : (
        <p className="ts-hint">They have not grown to their ends yet.</p>
      )}
    </section>
  );
}

function Tree({ jobId, name }: { jobId: string; name: TreeName }) {
  const tree = useQuery(studyTreeQuery(jobId, name));
  if (tree.data === undefined) {
    return tree.isError ? (
      <ErrorState
        title="The trees could not be loaded"
        message={describeError(tree.error)}
        onRetry={() => void tree.refetch()}
      />
    ) : (
      <RowsSkeleton label="Loading the trees" rows={4} />
    );
  }
  const { balance, companies } = tree.data;
  return (
    <>
      {balance !== null && <BalanceView balance={balance} />}
      <Dialogues
        jobId={jobId}
        name={name}
        companies={companies}
        behaviours={Object.keys(balance?.behaviours ?? {}).sort()}
      />
    </>
  );
}

function BalanceView({ balance }: { balance: TreeBalance }) {
  const { count, open_count: open, companies, depths, behaviours, forms } = balance;
  const perForm = Object.values(forms);
  return (
    <>
      <p>
        {countOf(count, "continuation")} of {countOf(companies, "company", "companies")}; after{" "}
        {formatExact(open)} of them the dialogue may go on. They fill in{" "}
        {countOf(perForm.length, "form")}, each {formatExact(Math.min(...perForm))} to{" "}
        {formatExact(Math.max(...perForm))} times.
      </p>
      <div className={classes.balance}>
        <Bars title="By depth" counts={depths} />
        <Bars title="By behaviour of the user" counts={behaviours} />
      </div>
    </>
  );
}

function Bars({ title, counts }: { title: string; counts: Readonly<Record<string, number>> }) {
  const most = Math.max(1, ...Object.values(counts));
  return (
    <div>
      <h3>{title}</h3>
      <dl className={classes.bars}>
        {Object.entries(counts).map(([name, count]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <span style={{ inlineSize: `${(100 * count) / most}%` }} />
              <span className="ts-number">{formatExact(count)}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

interface DialoguesProps {
  jobId: string;
  name: TreeName;
  companies: readonly string[];
  behaviours: readonly string[];
}

const ALL = "";

function Dialogues({ jobId, name, companies, behaviours }: DialoguesProps) {
  const [company, setCompany] = useState(companies[0] ?? "");
  const [behaviour, setBehaviour] = useState(ALL);
  const place = { jobId, name, company };
  const dialogues = useQuery(treeDialoguesQuery(place, behaviour));
  return (
    <>
      <div className="ts-fields">
        <Select
          label="Company"
          searchable
          allowDeselect={false}
          data={[...companies]}
          value={company}
          onChange={(chosen) => setCompany(chosen ?? company)}
        />
        <Select
          label="Behaviour"
          searchable
          allowDeselect={false}
          data={[
            { value: ALL, label: "All" },
            ...behaviours.map((one) => ({ value: one, label: one })),
          ]}
          value={behaviour}
          onChange={(chosen) => setBehaviour(chosen ?? ALL)}
        />
      </div>
      {dialogues.isPending && <RowsSkeleton label="Loading the dialogues" rows={4} />}
      {dialogues.isError && <p role="alert">{describeError(dialogues.error)}</p>}
      {dialogues.data?.length === 0 && (
        <p className="ts-hint">No dialogue of {company} ends with this behaviour.</p>
      )}
      {dialogues.data !== undefined && dialogues.data.length > 0 && (
        <DialogueTable place={place} rows={dialogues.data} />
      )}
    </>
  );
}

function DialogueTable({ place, rows }: { place: TreePlace; rows: readonly TreeDialogue[] }) {
  const open = useOpenDialogue(place);
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  return (
    <>
      {open.isError && <p role="alert">{describeError(open.error)}</p>}
      <PlainTable aria-label={`Dialogues of ${place.company}`}>
        <thead>
          <tr>
            <th scope="col">The user says</th>
            <th scope="col" data-hide className={classes.longName}>
              Behaviour
            </th>
            <th scope="col" data-hide className={classes.longName}>
              Form
            </th>
            <th scope="col" data-align="end">
              Depth
            </th>
            {canWrite && <th scope="col">Tape</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, message, behaviour, form, depth }) => (
            <tr key={key}>
              <td>{visibleText(message)}</td>
              <td data-hide>{behaviour}</td>
              <td data-hide>{visibleText(form)}</td>
              <td data-align="end" className="ts-number">
                {depth}
              </td>
              {canWrite && (
                <td>
                  <Button
                    variant="default"
                    size="compact-xs"
                    loading={open.isPending && open.variables === key}
                    onClick={() =>
                      open.mutate(key, {
                        onSuccess: ({ tape_id: id }) => void navigate(`/t/${id}`),
                      })
                    }
                  >
                    Open
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </>
  );
}
