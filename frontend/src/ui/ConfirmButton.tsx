import { Button, Group, Popover, Text, type ButtonProps } from "@mantine/core";
import { useState, type ReactNode } from "react";

interface ConfirmButtonProps extends ButtonProps {
  /** What will happen, as a sentence. */
  question: string;
  /** The label of the button that does it. */
  confirm: string;
  onConfirm: () => void;
  children: ReactNode;
}

/** A button that asks for confirmation, in place, before it does something hard to undo. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { question, confirm, onConfirm, children, ...button } = props;
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withArrow width={260}>
      <Popover.Target>
        <Button variant="default" {...button} onClick={() => setOpened(!opened)}>
          {children}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={question}>
        <Text size="sm">{question}</Text>
        <Group justify="flex-end" gap={8} mt={12}>
          <Button variant="subtle" color="gray" onClick={() => setOpened(false)}>
            Keep
          </Button>
          <Button
            color="red"
            onClick={() => {
              setOpened(false);
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
