/** The kinds of steps that an agent defines, on its form; and the button that defines one. */
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";

import { KindDialog } from "@/features/agent-editor/agent/KindDialog";
import classes from "@/features/agent-editor/agent/kinds.module.css";
import {
  readKind,
  withKind,
  withNewKind,
  withoutKind,
  writtenKinds,
} from "@/features/agent-editor/draft/kindChanges";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { describeKind } from "@/lib/definedKind";
import { visibleText } from "@/lib/visibleText";

export function KindFields() {
  const [spec] = useSpec();
  const kinds = writtenKinds(spec);
  return (
    <section className="ts-stack" data-pointer="/kinds" aria-label="Kinds of steps">
      <h3>Kinds of steps</h3>
      {kinds.length === 0 && (
        <p className="ts-hint">None of its own: its nodes write the kinds that ship.</p>
      )}
      {kinds.map((kind, at) => (
        <KindRow key={at} at={at} sentence={describeKind(kind)} />
      ))}
      <NewKind />
    </section>
  );
}

function KindRow({ at, sentence }: { at: number; sentence: string }) {
  const { select } = useAgentEditor();
  const [spec, change] = useSpec();
  const [isOpen, setOpen] = useState(false);
  const kinds = writtenKinds(spec).map(readKind);
  const kind = kinds[at];
  if (kind === undefined) return null;
  const remove = () => {
    change(withoutKind(spec, at));
    select("", "/kinds");
  };
  return (
    <div className={classes.kind} data-pointer={`/kinds/${at}`}>
      <span className={classes.sentence}>{visibleText(sentence)}</span>
      <Tooltip label="Change the kind">
        <ActionIcon
          aria-label={visibleText(`Change the kind ${kind.name}`)}
          onClick={() => setOpen(true)}
        >
          <IconPencil size={15} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Remove the kind">
        <ActionIcon aria-label={visibleText(`Remove the kind ${kind.name}`)} onClick={remove}>
          <IconTrash size={15} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <KindDialog
          kind={kind}
          taken={kinds.toSpliced(at, 1).map(({ name }) => name)}
          onSave={(changed) => change(withKind(spec, at, changed))}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** Defines a kind; with a node, allows it there. */
export function NewKind({ node }: { node?: string }) {
  const [spec, change] = useSpec();
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<IconPlus size={12} />}
        onClick={() => setOpen(true)}
      >
        New kind…
      </Button>
      {isOpen && (
        <KindDialog
          taken={writtenKinds(spec).map((kind) => readKind(kind).name)}
          onSave={(kind) => change(withNewKind(spec, kind, node))}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
