/** A field for tags: each is a chip, and the project's tags are offered. */
import { TagsInput, type TagsInputProps } from "@mantine/core";

const OFFERED = 20;
const LONGEST = 100;

interface TagFieldProps extends Pick<
  TagsInputProps,
  "label" | "description" | "placeholder" | "className" | "onBlur" | "onKeyDown" | "ref"
> {
  value: readonly string[];
  onChange: (tags: string[]) => void;
  /** What is offered while the person types. */
  known: readonly string[];
  "aria-label"?: string;
}

export function TagField({ value, onChange, known, ...props }: TagFieldProps) {
  return (
    <TagsInput
      size="xs"
      data={[...known]}
      limit={OFFERED}
      maxLength={LONGEST}
      comboboxProps={{ shadow: "md" }}
      value={[...value]}
      onChange={(wanted) =>
        onChange([...new Set(wanted.map(cleanTag))].filter((tag) => tag !== ""))
      }
      {...props}
    />
  );
}

/** The tag as the server stores it. */
function cleanTag(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}
