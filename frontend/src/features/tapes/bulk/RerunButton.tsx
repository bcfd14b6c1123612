import { Button, Modal } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { useState } from "react";

import type { Chosen } from "@/features/tapes/bulk/chosen";
import { RerunForm } from "@/features/tapes/bulk/RerunForm";
import { RerunProgress } from "@/features/tapes/bulk/RerunProgress";

/** Opens the dialog that reruns the selected tapes with another agent. Closing it stops nothing. */
export function RerunButton({ chosen }: { chosen: Chosen }) {
  const [isOpen, setOpen] = useState(false);
  const [rerunId, setRerunId] = useState<string | null>(null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRepeat size={14} />}
        onClick={() => setOpen(true)}
      >
        Rerun
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => {
          setOpen(false);
          setRerunId(null);
        }}
        title={`Rerun ${chosen.words}`}
        size={680}
      >
        {rerunId === null ? (
          <RerunForm chosen={chosen} onStarted={setRerunId} />
        ) : (
          <RerunProgress rerunId={rerunId} />
        )}
      </Modal>
    </>
  );
}
