import { Button, Modal } from "@mantine/core";
import { IconTransform } from "@tabler/icons-react";
import { useState } from "react";

import type { Chosen } from "@/features/tapes/bulk/chosen";
import { TransformForm } from "@/features/tapes/bulk/TransformForm";
import { TransformJob } from "@/features/tapes/bulk/TransformJob";

/** Opens the dialog that makes changed children of the selected tapes. Closing it stops nothing. */
export function TransformButton({ chosen }: { chosen: Chosen }) {
  const [isOpen, setOpen] = useState(false);
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTransform size={14} />}
        onClick={() => setOpen(true)}
      >
        Transform
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => {
          setOpen(false);
          setJobId(null);
        }}
        title={`Transform ${chosen.words}`}
        size={680}
      >
        {jobId === null ? (
          <TransformForm chosen={chosen} onStarted={setJobId} />
        ) : (
          <TransformJob jobId={jobId} />
        )}
      </Modal>
    </>
  );
}
