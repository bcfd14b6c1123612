/** A secret that was just created, shown this one time. */
import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { copyText } from "@/ui/copyText";
import classes from "@/ui/SecretOnce.module.css";

interface SecretOnceProps {
  /** What to do with it. */
  said: string;
  secret: string;
  /** The secret's name on the button: "Copy link". */
  noun: string;
  onClose: () => void;
  children?: ReactNode;
}

export function SecretOnce({ said, secret, noun, onClose, children }: SecretOnceProps) {
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

/** Text to copy, selected by one click. */
export function Code({ children }: { children: string }) {
  return <code className={classes.code}>{children}</code>;
}
