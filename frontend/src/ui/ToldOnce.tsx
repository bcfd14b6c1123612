/** A secret that was just made, shown the only time that it is told. */
import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { copyText } from "@/ui/copyText";
import classes from "@/ui/ToldOnce.module.css";

interface ToldOnceProps {
  /** What to do with it. */
  said: string;
  secret: string;
  /** What it is, as the button names it: "Copy link". */
  noun: string;
  onClose: () => void;
  children?: ReactNode;
}

export function ToldOnce({ said, secret, noun, onClose, children }: ToldOnceProps) {
  const copied = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} copied`;
  return (
    <Stack gap={12}>
      <p role="status">{said} It is not shown again.</p>
      <Code>{secret}</Code>
      {children}
      <div className="ts-row">
        <Button ml="auto" data-autofocus onClick={() => void copyText(secret, copied)}>
          Copy {noun}
        </Button>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </div>
    </Stack>
  );
}

/** Text to take along, selected by one click. */
export function Code({ children }: { children: string }) {
  return <code className={classes.code}>{children}</code>;
}
