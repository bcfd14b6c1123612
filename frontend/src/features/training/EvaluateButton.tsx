/** Starts a sweep of a served model against the agents' own models: the purpose of a training. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { servedQuery } from "@/api/serving";
import type { ServedModel } from "@/api/types";

/** Leads to a new sweep with a model that is ready. */
export function EvaluateButton({ model }: { model: ServedModel }) {
  if (model.state !== "ready" || model.model_id === null) return null;
  const asked = new URLSearchParams({ new: "sweep", name: model.name, model: model.model_id });
  return (
    <Button
      component={Link}
      to={`/evaluation?${asked.toString()}`}
      variant="default"
      size="compact-xs"
      title="Start a sweep with this model and the agents' own models"
    >
      Evaluate
    </Button>
  );
}

/** The same for an adapter, once it is served. */
export function EvaluateAdapter({ adapterId }: { adapterId: string }) {
  const served = useQuery(servedQuery());
  const model = served.data?.find((one) => one.adapter_id === adapterId && one.state === "ready");
  return model === undefined ? null : <EvaluateButton model={model} />;
}
