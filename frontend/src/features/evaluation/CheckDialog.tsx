/** Changes a test's pass criterion; finished runs keep their verdicts. */
import { Button, Modal, Stack } from "@mantine/core";
import { useState } from "react";

import { describeError } from "@/api/client";
import { useChangeCheck } from "@/api/suites";
import type { SuiteTest } from "@/api/types";
import {
  CheckFields,
  findCheckProblem,
  fromCheck,
  TEST_KINDS,
  toTestCheck,
} from "@/features/checks";
import { visibleText } from "@/lib/visibleText";

interface CheckDialogProps {
  /** `null` while the dialog is closed. */
  test: SuiteTest | null;
  onClose: () => void;
}

export function CheckDialog({ test, onClose }: CheckDialogProps) {
  return (
    <Modal opened={test !== null} onClose={onClose} title="Pass criterion" size={480}>
      {test !== null && <CheckForm key={test.tape_id} test={test} onDone={onClose} />}
    </Modal>
  );
}

function CheckForm({ test, onDone }: { test: SuiteTest; onDone: () => void }) {
  const [check, setCheck] = useState(() => fromCheck(test.check));
  const change = useChangeCheck();
  const sent = toTestCheck(check);
  const problem = findCheckProblem(check);
  return (
    <form
      noValidate
      aria-label="Pass criterion"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem !== "" || sent === null) return;
        change.mutate({ tapeId: test.tape_id, check: sent }, { onSuccess: onDone });
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          {visibleText(test.name)}: finished runs keep their verdicts; the next run is checked by
          this.
        </p>
        <CheckFields check={check} onChange={setCheck} kinds={TEST_KINDS} />
        {change.isError && <p role="alert">{describeError(change.error)}</p>}
        <div className="ts-row">
          <span className="ts-dimmed">{problem}</span>
          <Button type="submit" ml="auto" disabled={problem !== ""} loading={change.isPending}>
            Save
          </Button>
        </div>
      </Stack>
    </form>
  );
}
