/** Filters for the examples of a set: side, text, author of the answer, length. */
import { NumberInput, SegmentedControl, Select, TextInput } from "@mantine/core";

import type { Side, WantedExamples } from "@/api/trainingExamples";
import classes from "@/features/training/examples/examples.module.css";
import { useAddress } from "@/lib/useAddress";

const SIDES: { value: Side; label: string }[] = [
  { value: "train", label: "Train" },
  { value: "held_out", label: "Held out" },
];

const WRITERS: { value: "person" | "model"; label: string }[] = [
  { value: "person", label: "By a person" },
  { value: "model", label: "By a model" },
];

/** The filters in the address. */
export function readWanted(address: URLSearchParams): WantedExamples {
  const text = address.get("find") ?? "";
  const writer = WRITERS.find(({ value }) => value === address.get("writer"))?.value;
  const shortest = readLength(address.get("from"));
  const longest = readLength(address.get("to"));
  return {
    side: address.get("side") === "held_out" ? "held_out" : "train",
    ...(text !== "" && { text }),
    ...(writer !== undefined && { writer }),
    ...(shortest !== null && { shortest }),
    ...(longest !== null && { longest }),
  };
}

const MOST = 2 ** 31;

function readLength(text: string | null): number | null {
  const value = Number(text ?? "");
  return text !== null && text !== "" && value >= 0 && value <= MOST ? Math.round(value) : null;
}

export function ExampleFilters() {
  const [address, change] = useAddress();
  const wanted = readWanted(address);
  const set = (name: string, value: string | null) =>
    change({ [name]: value === "" ? null : value, example: null }, { replace: true });
  return (
    <div className={`ts-row ${classes.filters}`} role="search">
      <SegmentedControl
        aria-label="Which examples"
        data={SIDES}
        value={wanted.side}
        onChange={(value) => set("side", value)}
      />
      <TextInput
        aria-label="Find examples"
        placeholder="Id, tape or words"
        maxLength={300}
        value={wanted.text ?? ""}
        onChange={({ currentTarget }) => set("find", currentTarget.value)}
      />
      <Select
        aria-label="Who wrote the answer"
        placeholder="By anyone"
        clearable
        data={WRITERS}
        value={wanted.writer ?? null}
        onChange={(value) => set("writer", value)}
      />
      <Length label="Shortest" name="from" value={wanted.shortest} onChange={set} />
      <Length label="Longest" name="to" value={wanted.longest} onChange={set} />
    </div>
  );
}

interface LengthProps {
  label: string;
  name: string;
  value: number | undefined;
  onChange: (name: string, value: string) => void;
}

function Length({ label, name, value, onChange }: LengthProps) {
  return (
    <NumberInput
      className={classes.length}
      aria-label={`${label} length in characters`}
      title="In characters of prompt and answer"
      placeholder={label}
      min={0}
      max={MOST}
      hideControls
      value={value ?? ""}
      onChange={(length) => onChange(name, String(length))}
    />
  );
}
