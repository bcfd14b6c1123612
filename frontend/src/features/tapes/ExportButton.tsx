import { Button, Modal } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";

import { ExportForm, type ExportTarget } from "@/features/tapes/ExportForm";
import { ExportJob } from "@/features/tapes/ExportJob";

interface ExportButtonProps {
  target: ExportTarget;
  /** Set if a link requested the dialog. */
  isOpenAtFirst?: boolean;
  onClose?: () => void;
}

/** Opens the dialog that exports what is selected or listed. Closing it stops nothing. */
export function ExportButton({ target, isOpenAtFirst = false, onClose }: ExportButtonProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [jobId, setJobId] = useState<string | null>(null);
  const close = () => {
    setOpen(false);
    setJobId(null);
    onClose?.();
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => setOpen(true)}
      >
        Export
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Export ${target.words}`} size={560}>
        {jobId === null ? (
          <ExportForm target={target} onStarted={setJobId} />
        ) : (
          <ExportJob jobId={jobId} onAgain={() => setJobId(null)} />
        )}
      </Modal>
    </>
  );
}
