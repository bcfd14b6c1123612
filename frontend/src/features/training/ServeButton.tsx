/** Serves an adapter or a base model, and then shows its state. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { servedQuery, useServe } from "@/api/serving";
import { showFailure } from "@/api/showFailure";
import type { ServedModel } from "@/api/types";
import { ServedBadge } from "@/features/training/ServedBadge";
import { visibleText } from "@/lib/visibleText";

type Served = { adapter_id: string } | { base: string };

interface ServeButtonProps {
  what: Served;
  /** The name of the model, for people who cannot see its row. */
  name: string;
  canWrite: boolean;
}

export function ServeButton({ what, name, canWrite }: ServeButtonProps) {
  const served = useQuery(servedQuery());
  const serve = useServe();
  const found = served.data?.find((model) => isOf(model, what));
  if (found !== undefined && found.state !== "stopped" && found.state !== "failed") {
    return (
      <Link to="/training?tab=served">
        <ServedBadge state={found.state} />
      </Link>
    );
  }
  if (!canWrite) return null;
  const start = () =>
    serve.mutate(
      { base: "", ...what },
      { onError: (error) => showFailure("The model is not served", error) },
    );
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={serve.isPending}
      aria-label={`Serve ${visibleText(name)}`}
      onClick={start}
    >
      Serve
    </Button>
  );
}

function isOf(model: ServedModel, what: Served): boolean {
  if ("adapter_id" in what) return model.adapter_id === what.adapter_id;
  return model.adapter_id === null && model.base === what.base;
}
