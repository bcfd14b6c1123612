/** Links to a step's fields: marks the field that the address names, and copies a link to any. */
import { ActionIcon } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useEffect, useMemo, useState, type RefObject } from "react";

import classes from "@/features/tape-editor/cards/fieldLinks.module.css";
import { useActions, useTapeModel } from "@/features/tape-editor/editor";
import { useCommands, type Command } from "@/lib/commands";

const NAME = "linked";
const FIELD = "article [data-field]";

interface FieldLinksProps {
  root: RefObject<HTMLElement | null>;
  /** Position of the chosen step, and the field of it that the address names. */
  step: number | null;
  field: string;
}

export function FieldLinks({ root, step, field }: FieldLinksProps) {
  useLinkedField(root, step, field);
  useFieldCommands(root, step);
  const near = useFieldUnderPointer(root);
  const actions = useActions();
  const { steps } = useTapeModel();
  if (near === null) return null;
  const row = steps.at(near.step);
  if (row === undefined) return null;
  return (
    <ActionIcon
      className={classes.button}
      style={{ top: near.top, left: near.left }}
      size={20}
      aria-label="Copy the link to this field"
      title="Copy the link to this field"
      tabIndex={-1}
      data-field-link
      onClick={() => actions.copyLink(row, near.pointer)}
    >
      <IconLink size={13} stroke={1.75} />
    </ActionIcon>
  );
}

/** Scrolls the field into view once it is drawn, and marks it as long as the address names it. */
function useLinkedField(root: RefObject<HTMLElement | null>, step: number | null, field: string) {
  useEffect(() => {
    const element = root.current;
    if (element === null || step === null || field === "" || !("highlights" in CSS)) return;
    const show = () => {
      const card = element.querySelector("article[aria-current]");
      const place = card?.querySelector(`[data-field="${CSS.escape(field)}"]`) ?? null;
      if (place === null) return;
      watcher.disconnect();
      const range = new Range();
      range.selectNodeContents(place);
      CSS.highlights.set(NAME, new Highlight(range));
      place.scrollIntoView({ block: "nearest" });
    };
    const watcher = new MutationObserver(show);
    watcher.observe(element, { childList: true, subtree: true });
    show();
    return () => {
      watcher.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [root, step, field]);
}

/** The way without a mouse: the palette offers the fields of the chosen step. */
function useFieldCommands(root: RefObject<HTMLElement | null>, step: number | null): void {
  const actions = useActions();
  const { steps } = useTapeModel();
  const source = useMemo(
    () => (): Command[] => {
      const row = step === null ? undefined : steps.at(step);
      const { current: place } = root;
      const card = place === null ? null : place.querySelector("article[aria-current]");
      if (row === undefined || card === null) return [];
      return [...card.querySelectorAll("[data-field]")].map((field) => {
        const pointer = field.getAttribute("data-field") ?? "";
        return {
          label: `Copy the link to ${pointer.slice(1)}`,
          run: () => actions.copyLink(row, pointer),
        };
      });
    },
    [root, step, steps, actions],
  );
  useCommands("Steps", source);
}

interface NearField {
  step: number;
  pointer: string;
  top: number;
  left: number;
}

function useFieldUnderPointer(root: RefObject<HTMLElement | null>): NearField | null {
  const [near, setNear] = useState<NearField | null>(null);
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const onOver = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest("[data-field-link]") !== null) return;
      setNear(readField(target));
    };
    const onGone = () => setNear(null);
    element.addEventListener("pointerover", onOver);
    element.addEventListener("pointerleave", onGone);
    // The button goes when its field scrolls away.
    element.addEventListener("scroll", onGone, { capture: true, passive: true });
    return () => {
      element.removeEventListener("pointerover", onOver);
      element.removeEventListener("pointerleave", onGone);
      element.removeEventListener("scroll", onGone, { capture: true });
    };
  }, [root]);
  return near;
}

function readField(target: Element): NearField | null {
  const place = target.closest(FIELD);
  const step = place?.closest("article")?.getAttribute("data-step");
  if (place === null || step === null || step === undefined) return null;
  const { top, right } = place.getBoundingClientRect();
  const pointer = place.getAttribute("data-field") ?? "";
  return { step: Number(step), pointer, top: Math.max(0, top), left: right - 20 };
}
