import { CopyButton, UnstyledButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

import { shortId } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import classes from "@/ui/ShortId.module.css";

/** The first eight characters of an id; a click copies the full id. */
export function ShortId({ id }: { id: string }) {
  return (
    <CopyButton value={id} timeout={1500}>
      {({ copied, copy }) => (
        <UnstyledButton
          className={`ts-inline ${classes.button}`}
          title={copied ? "Copied" : `${visibleText(id)} (click to copy)`}
          aria-label={`Copy id ${visibleText(shortId(id))}`}
          onClick={(event) => {
            event.stopPropagation();
            copy();
          }}
        >
          <span className="ts-mono">{visibleText(shortId(id))}</span>
          {copied ? <IconCheck size={12} /> : <IconCopy size={12} className={classes.icon} />}
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
