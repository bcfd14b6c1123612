import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTag } from "@tabler/icons-react";

import { TagForm } from "@/features/tapes/bulk/TagForm";
import type { Chosen } from "@/features/tapes/bulk/chosen";

/** Opens the dialog that adds tags to the selected tapes and removes them. */
export function TagButton({ chosen }: { chosen: Chosen }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconTag size={14} />} onClick={open}>
        Tags
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Tags of ${chosen.words}`} size={480}>
        <TagForm chosen={chosen} onDone={close} />
      </Modal>
    </>
  );
}
