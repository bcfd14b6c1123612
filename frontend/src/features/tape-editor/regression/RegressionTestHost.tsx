/** The dialog that makes a regression test of the open tape. */
import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { suggestedTestQuery } from "@/api/suites";
import type { RegressionTest } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";
import { useTestDialog } from "@/features/tape-editor/regression/useTestDialog";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";
import { offerWays } from "@/ui/undoToast";

const TestForm = lazy(async () => ({
  default: (await import("@/features/tape-editor/regression/TestForm")).TestForm,
}));

export function RegressionTestHost() {
  const { isOpen, close } = useTestDialog();
  return (
    <Modal opened={isOpen} onClose={close} title="Regression test" size={560}>
      <Loading />
    </Modal>
  );
}

function Loading() {
  const { tape } = useTapeModel();
  const { at, close } = useTestDialog();
  const navigate = useNavigate();
  const suggested = useQuery(suggestedTestQuery(tape.id));
  if (suggested.isError && suggested.data === undefined) {
    return (
      <ErrorState
        title="The test could not be prepared"
        message={describeError(suggested.error)}
        onRetry={() => void suggested.refetch()}
      />
    );
  }
  if (suggested.data === undefined) return <RowsSkeleton label="Loading the form" rows={5} />;
  return (
    <Suspense fallback={<RowsSkeleton label="Loading the form" rows={5} />}>
      <TestForm
        suggested={suggested.data}
        at={at}
        onMade={(test) => {
          close();
          const show = () => void navigate(`/evaluation/suites/${test.suite_id}`);
          offerWays(titleOf(test), [{ words: "Show the suite", run: show }]);
        }}
      />
    </Suspense>
  );
}

function titleOf({ name, suite }: RegressionTest): string {
  return `“${visibleText(name)}” is a test of “${visibleText(suite)}”`;
}
