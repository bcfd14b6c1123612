/** The models that the studio serves: the state of each, and the actions on it. */
import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconServer } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import { describeError } from "@/api/client";
import {
  servedQuery,
  serverLogQuery,
  useCompareWithTeacher,
  useServe,
  useStopServing,
} from "@/api/serving";
import { showFailure } from "@/api/showFailure";
import type { ServedModel } from "@/api/types";
import { EvaluateButton } from "@/features/training/EvaluateButton";
import { Listing } from "@/features/training/Listing";
import { ServedBadge } from "@/features/training/ServedBadge";
import { CREATED_COLUMN } from "@/features/training/rowColumns";
import classes from "@/features/training/training.module.css";
import { visibleText } from "@/lib/visibleText";
import { EmptyState } from "@/ui/States";
import type { Column } from "@/ui/tableColumns";

const rowId = ({ id }: ServedModel) => id;
const complain = (error: unknown) => showFailure("The served model was not changed", error);

export function ServedList({ canWrite }: { canWrite: boolean }) {
  const served = useQuery(servedQuery());
  const [shown, setShown] = useState<ServedModel | null>(null);
  const columns = useMemo(
    () => [...COLUMNS, actionsColumn({ canWrite, onLog: setShown })],
    [canWrite],
  );
  return (
    <>
      <Listing
        label="Served models"
        query={served}
        rows={served.data}
        columns={columns}
        rowId={rowId}
        empty={
          <EmptyState
            title="No model is served"
            icon={<IconServer size={24} stroke={1.5} />}
            action={
              <Button component={Link} to="/training?tab=adapters">
                Choose an adapter
              </Button>
            }
          >
            Serve an adapter or a base model here. Once it passes the parity check, you can choose
            it as the model of any run.
          </EmptyState>
        }
      />
      {shown !== null && <ServerLog model={shown} onClose={() => setShown(null)} />}
    </>
  );
}

const COLUMNS: Column<ServedModel>[] = [
  {
    id: "name",
    header: "Model",
    width: "20%",
    cell: ({ name }) => <span className="ts-truncate">{visibleText(name)}</span>,
  },
  {
    id: "of",
    header: "Serves",
    width: "20%",
    hideLevel: 1,
    cell: ({ adapter_name: adapter, base }) => (
      <span className="ts-truncate">
        {adapter === "" ? visibleText(base) : `${visibleText(adapter)} on ${visibleText(base)}`}
      </span>
    ),
  },
  { id: "state", header: "State", width: "96px", cell: (row) => <ServedBadge state={row.state} /> },
  {
    id: "probe",
    header: "Probe",
    hideLevel: 3,
    cell: (row) => <ProbeResult model={row} />,
  },
  CREATED_COLUMN,
];

/** What the model waits for, or what is wrong; otherwise how close it is to the trained one. */
function ProbeResult({ model }: { model: ServedModel }) {
  const { message, parity } = model;
  if (message !== "") return <span title={message}>{visibleText(message)}</span>;
  const largest = parity?.largest ?? null;
  if (largest === null) return null;
  return (
    <span
      className="ts-number"
      title="Largest difference in log-probability from transformers and peft, in nats"
    >
      within {largest.toPrecision(1)} nats
    </span>
  );
}

interface Actions {
  canWrite: boolean;
  onLog: (model: ServedModel) => void;
}

const actionsColumn = ({ canWrite, onLog }: Actions): Column<ServedModel> => ({
  id: "actions",
  header: <span className="ts-visually-hidden">Actions</span>,
  width: "min(420px, 54cqw)",
  align: "end",
  cell: (model) => (
    <span className={`ts-row ${classes.actions}`}>
      {canWrite && <Changes model={model} />}
      <Button variant="default" size="compact-xs" onClick={() => onLog(model)}>
        Log
      </Button>
    </span>
  ),
});

function Changes({ model }: { model: ServedModel }) {
  const navigate = useNavigate();
  const stop = useStopServing();
  const serve = useServe();
  const compare = useCompareWithTeacher();
  if (model.state === "stopped" || model.state === "failed") {
    const again = {
      adapter_id: model.adapter_id,
      base: model.adapter_id === null ? model.base : "",
    };
    return (
      <Button
        size="compact-xs"
        loading={serve.isPending}
        onClick={() => serve.mutate(again, { onError: complain })}
      >
        Serve again
      </Button>
    );
  }
  return (
    <>
      {model.state === "ready" && model.adapter_id !== null && (
        <Button
          size="compact-xs"
          loading={compare.isPending}
          title="Reruns the held-out tapes of its training set with this model"
          onClick={() =>
            compare.mutate(model.id, {
              onSuccess: ({ id }) => void navigate(`/runs/${id}`),
              onError: complain,
            })
          }
        >
          Compare with teacher
        </Button>
      )}
      <EvaluateButton model={model} />
      <Button
        variant="default"
        size="compact-xs"
        loading={stop.isPending}
        onClick={() => stop.mutate(model.id, { onError: complain })}
      >
        Stop
      </Button>
    </>
  );
}

function ServerLog({ model, onClose }: { model: ServedModel; onClose: () => void }) {
  const log = useQuery(serverLogQuery(model.id));
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Log of the server of ${visibleText(model.name)}`}
    >
      {log.isError && <p role="alert">{describeError(log.error)}</p>}
      {log.data !== undefined && (
        <pre className={classes.log}>
          {log.data === "" ? "The server has printed nothing yet." : visibleText(log.data)}
        </pre>
      )}
    </Modal>
  );
}
