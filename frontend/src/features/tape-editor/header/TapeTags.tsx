/** The tape's tags, or a field in their place while a person changes them. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconTag } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";

import { useCanWrite } from "@/api/session";
import { describeError } from "@/api/client";
import { useChangeTags, useTagNames } from "@/api/tags";
import classes from "@/features/tape-editor/header/header.module.css";
import { useTapeModel } from "@/features/tape-editor/editor";
import { useKeys } from "@/lib/keys";
import { TagChips } from "@/ui/TagChips";
import { TagField } from "@/ui/TagField";

export function TapeTags() {
  const { tags } = useTapeModel().tape;
  if (useCanWrite()) return <ChangingTags />;
  return (
    <div className={`ts-row ${classes.tags}`}>
      <TagChips tags={tags} />
    </div>
  );
}

function ChangingTags() {
  const { tape } = useTapeModel();
  const change = useChangeTags();
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useKeys(
    "Tape",
    useMemo(() => [{ keys: "t", label: "Tag the tape", run: () => setEditing(true) }], []),
  );
  const onDone = (tags: readonly string[] | null) => {
    setEditing(false);
    const add = tags?.filter((tag) => !tape.tags.includes(tag)) ?? [];
    const remove = tags === null ? [] : tape.tags.filter((tag) => !tags.includes(tag));
    if (add.length + remove.length > 0) change.mutate({ tape_ids: [tape.id], add, remove });
    // The button exists again after the next render.
    requestAnimationFrame(() => button.current?.focus());
  };
  if (isEditing) return <TagsEditor tags={tape.tags} onDone={onDone} />;
  return (
    <div className={`ts-row ${classes.tags}`}>
      <TagChips tags={tape.tags} />
      <Tooltip label="Tags (t)">
        <ActionIcon
          ref={button}
          size={20}
          aria-label="Change the tags"
          loading={change.isPending}
          onClick={() => setEditing(true)}
        >
          <IconTag size={13} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      {change.isError && (
        <span role="alert" className={classes.bad}>
          {describeError(change.error)}
        </span>
      )}
    </div>
  );
}

interface TagsEditorProps {
  tags: readonly string[];
  /** `null`: leave them as they are. */
  onDone: (tags: readonly string[] | null) => void;
}

/** Enter adds what is typed; Enter in an empty field finishes. */
function TagsEditor({ tags, onDone }: TagsEditorProps) {
  const known = useTagNames();
  const [value, setValue] = useState(tags);
  const latest = useRef(value);
  const field = useRef<HTMLInputElement>(null);
  useFocusOnce(field);
  return (
    <TagField
      ref={field}
      className={classes.tagsField}
      aria-label="Tags of the tape"
      placeholder="Type a tag, then Enter"
      known={known}
      value={value}
      onChange={(wanted) => {
        latest.current = wanted;
        setValue(wanted);
      }}
      // Leaving the field turns what was typed into a tag, which is reported just before this.
      onBlur={() => setTimeout(() => onDone(latest.current))}
      onKeyDown={(event) => {
        const isEmpty = event.currentTarget.value === "";
        if (event.key === "Escape") {
          event.stopPropagation();
          onDone(null);
        } else if (event.key === "Enter" && isEmpty && !hasActiveOption(field)) {
          event.preventDefault();
          onDone(latest.current);
        }
      }}
    />
  );
}

function useFocusOnce(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => field.current?.focus(), [field]);
}

function hasActiveOption(field: RefObject<HTMLInputElement | null>): boolean {
  return field.current?.hasAttribute("aria-activedescendant") === true;
}
