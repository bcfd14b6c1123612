import { PageHeader } from "@/ui/PageHeader";
import { RowsSkeleton } from "@/ui/States";

export function LoadingTape() {
  return (
    <>
      <PageHeader title="Tape" />
      <RowsSkeleton rows={16} label="Loading the tape" />
    </>
  );
}
