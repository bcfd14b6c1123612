import { ActionIcon, Tooltip } from "@mantine/core";
import { IconDeviceAudioTape, IconDownload, IconPencil, IconTrash } from "@tabler/icons-react";
import { Link } from "react-router";

import type { Dataset } from "@/api/types";
import classes from "@/features/datasets/datasets.module.css";
import { formatExact } from "@/lib/format";
import { datasetAddress } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import type { Column } from "@/ui/tableColumns";
import { Count, RelativeTime, SummedCost, Tokens } from "@/ui/Quantities";

interface Actions {
  onEdit: (dataset: Dataset) => void;
  onDelete: (dataset: Dataset) => void;
}

/** `actions`: `null` for people who can only view the project. */
export function datasetColumns(actions: Actions | null): Column<Dataset>[] {
  return [
    { id: "name", header: "Dataset", cell: (row) => <Name dataset={row} /> },
    {
      id: "tapes",
      header: "Tapes",
      width: "72px",
      align: "end",
      cell: (row) => <Count value={row.tape_count} />,
    },
    part("train", "Train", "72px", "split:train", 2, (row) => row.train_count),
    part("validation", "Validation", "80px", "split:validation", 2, (row) => row.validation_count),
    part("test", "Test", "72px", "split:test", 2, (row) => row.test_count),
    part("unsplit", "No split", "72px", "split:none", 2, (row) => row.unsplit_count),
    part("kept", "Excluded", "88px", "is:kept-from-training", 1, (row) => row.kept_count),
    {
      id: "steps",
      header: "Steps",
      width: "72px",
      align: "end",
      hideLevel: 1,
      cell: (row) => <Count value={row.step_count} />,
    },
    {
      id: "tokens",
      header: "Tokens",
      width: "72px",
      align: "end",
      hideLevel: 1,
      cell: (row) => <Tokens value={row.tokens} />,
    },
    {
      id: "cost",
      header: "Cost",
      width: "116px",
      align: "end",
      hideLevel: 1,
      cell: (row) => <SummedCost sum={row} />,
    },
    {
      id: "changed",
      header: "Changed",
      width: "96px",
      align: "end",
      hideLevel: 1,
      cell: (row) => <RelativeTime value={row.updated_at} />,
    },
    {
      id: "actions",
      header: <span className="ts-visually-hidden">Actions</span>,
      width: actions === null ? "80px" : "156px",
      align: "end",
      cell: (row) => <RowActions dataset={row} actions={actions} />,
    },
  ];
}

/** A column with the number of tapes that match a query, linked to their list. */
function part(
  id: string,
  header: string,
  width: string,
  query: string,
  hideLevel: 1 | 2,
  countIn: (dataset: Dataset) => number,
): Column<Dataset> {
  return {
    id,
    header,
    width,
    align: "end",
    hideLevel,
    cell: (row) => {
      const count = countIn(row);
      if (count === 0) return <span className="ts-dimmed">–</span>;
      return (
        <Link
          className={classes.link}
          to={datasetAddress(row.name, query)}
          aria-label={`${header}: ${formatExact(count)} of ${visibleText(row.name)}`}
        >
          <Count value={count} />
        </Link>
      );
    },
  };
}

function Name({ dataset }: { dataset: Dataset }) {
  const { id, name, description, archived_count: archived } = dataset;
  return (
    <span className={`ts-row ${classes.line}`}>
      <Link
        className={`ts-truncate ${classes.name}`}
        to={`/datasets/${id}`}
        title={visibleText(name)}
      >
        {visibleText(name)}
      </Link>
      {description !== "" && (
        <span className={`ts-truncate ${classes.description}`} title={visibleText(description)}>
          {visibleText(description)}
        </span>
      )}
      {archived > 0 && (
        <Link className={`ts-hint ${classes.archived}`} to={datasetAddress(name, "is:archived")}>
          {formatExact(archived)} archived
        </Link>
      )}
    </span>
  );
}

function RowActions({ dataset, actions }: { dataset: Dataset; actions: Actions | null }) {
  const name = visibleText(dataset.name);
  return (
    <span className={classes.actions}>
      {actions !== null && (
        <Tooltip label="Name and description">
          <ActionIcon aria-label={`Edit ${name}`} onClick={() => actions.onEdit(dataset)}>
            <IconPencil size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Its tapes">
        <ActionIcon
          component={Link}
          to={datasetAddress(dataset.name)}
          aria-label={`Tapes of ${name}`}
        >
          <IconDeviceAudioTape size={15} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Export its tapes">
        <ActionIcon
          component={Link}
          to={`${datasetAddress(dataset.name)}&export=1`}
          aria-label={`Export ${name}`}
        >
          <IconDownload size={15} />
        </ActionIcon>
      </Tooltip>
      {actions !== null && (
        <Tooltip label="Delete; its tapes are kept">
          <ActionIcon aria-label={`Delete ${name}`} onClick={() => actions.onDelete(dataset)}>
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </span>
  );
}
