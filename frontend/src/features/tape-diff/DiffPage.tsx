/** Two tapes side by side, on a page of their own. */
import { useMemo } from "react";
import { useNavigate, useParams } from "react-router";

import { Comparison } from "@/features/tape-diff/Comparison";
import { useKeys } from "@/lib/keys";
import { PageHeader } from "@/ui/PageHeader";

export function DiffPage() {
  const { tapeId = "", otherId = "" } = useParams();
  const navigate = useNavigate();
  const keys = useMemo(() => {
    const run = () => void navigate(`/t/${otherId}`);
    return [{ keys: "Escape", label: "Open the right tape", run, isMove: true }];
  }, [navigate, otherId]);
  useKeys("Diff", keys);
  return (
    <Comparison
      leftId={tapeId}
      rightId={otherId}
      swapped={`/t/${otherId}/diff/${tapeId}`}
      head={(note, buttons) => (
        <PageHeader title="Diff" note={note}>
          {buttons}
        </PageHeader>
      )}
    />
  );
}
