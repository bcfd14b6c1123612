/** Asks before somebody leaves a page with unsaved work. */
import { Button, Group, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { useBlocker } from "react-router";

interface LeaveGuardProps {
  /** Called at the moment of leaving. */
  checkNeeded: () => boolean;
  /** What would be lost, as a sentence. */
  what: string;
}

export function LeaveGuard({ checkNeeded, what }: LeaveGuardProps) {
  const blocker = useBlocker(checkNeeded);
  useEffect(() => {
    // The browser shows its own text.
    const onUnload = (event: BeforeUnloadEvent) => {
      if (checkNeeded()) event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [checkNeeded]);
  return (
    <Modal
      opened={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      size={400}
      centered
    >
      <Text size="sm">{what}</Text>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
          Stay
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </Group>
    </Modal>
  );
}
