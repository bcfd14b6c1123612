/** What is frozen, what passes, and which suite gets the test: prefilled, for review. */
import { Autocomplete, Button, NumberInput, Radio, Stack, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { suitesQuery, useMakeTest } from "@/api/suites";
import type { RegressionTest, SuggestedTest } from "@/api/types";
import {
  CheckFields,
  findCheckProblem,
  fromCheck,
  NO_CHECK,
  TEST_KINDS,
  toTestCheck,
} from "@/features/checks";
import { useTapeModel } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface TestFormProps {
  suggested: SuggestedTest;
  /** How many steps the person has chosen to keep. */
  at: number | null;
  onMade: (test: RegressionTest) => void;
}

export function TestForm({ suggested, at, onMade }: TestFormProps) {
  const { tape, outline } = useTapeModel();
  const suites = useInfiniteQuery(suitesQuery());
  const known = suites.data?.pages.flatMap(({ items }) => items.map(({ name }) => name)) ?? [];
  const [suite, setSuite] = useState<string | null>(null);
  const [name, setName] = useState(visibleText(suggested.name));
  const [kept, setKept] = useState<number | string>(at ?? suggested.at);
  const [check, setCheck] = useState(() =>
    suggested.check === null
      ? { ...NO_CHECK, kind: "contains" as const }
      : fromCheck(suggested.check),
  );
  const make = useMakeTest(tape.id);
  const wanted = suite ?? known[0] ?? suggested.suite;
  const sent = toTestCheck(check);
  const problem = findProblem(wanted, kept, findCheckProblem(check));
  return (
    <form
      noValidate
      aria-label="Regression test"
      data-tour="test-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem !== "" || typeof kept !== "number" || sent === null) return;
        make.mutate(
          { suite: wanted.trim(), name: name.trim(), at: kept, check: sent },
          { onSuccess: onMade },
        );
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          The first steps are frozen as they were recorded. Each run of the suite lets the agent
          continue from there and checks its answer against the pass criterion.
        </p>
        <KeptFields suggested={suggested} most={outline.length} kept={kept} onChange={setKept} />
        <section className="ts-stack" aria-labelledby="test-check">
          <h3 id="test-check">Pass criterion</h3>
          <CheckFields check={check} onChange={setCheck} kinds={TEST_KINDS} />
        </section>
        <TextInput
          label="Name"
          maxLength={300}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Autocomplete
          label="Suite"
          description="A dataset; a new name creates one"
          data={[...new Set(known)]}
          maxLength={200}
          value={wanted}
          onChange={setSuite}
        />
        {make.isError && <p role="alert">{describeError(make.error)}</p>}
        <div className="ts-row">
          <span className="ts-dimmed">{problem}</span>
          <Button
            type="submit"
            ml="auto"
            ref={focus}
            disabled={problem !== ""}
            loading={make.isPending}
          >
            Make the test
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** The dialog sets the focus when it opens, before the form is there. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

interface KeptFieldsProps {
  suggested: SuggestedTest;
  most: number;
  kept: number | string;
  onChange: (kept: number | string) => void;
}

/** The places where most tests begin, each once, and any other. */
function KeptFields({ suggested, most, kept, onChange }: KeptFieldsProps) {
  const places = listPlaces(suggested);
  const [isOther, setOther] = useState(places.every(({ count }) => count !== kept));
  return (
    <Radio.Group
      label="Frozen steps"
      value={isOther ? OTHER : String(kept)}
      onChange={(chosen) => {
        setOther(chosen === OTHER);
        if (chosen !== OTHER) onChange(Number(chosen));
      }}
    >
      <Stack gap={6} mt={4}>
        {places.map(({ count, words }) => (
          <Radio key={count} value={String(count)} label={`${words}: ${countOf(count, "step")}`} />
        ))}
        <Radio value={OTHER} label="Up to another step" />
        {isOther && (
          <NumberInput
            label="Steps kept"
            min={1}
            max={most}
            allowDecimal={false}
            value={kept}
            onChange={onChange}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}

const OTHER = "other";

/** Of two names for one place, the first says more. */
function listPlaces({ start, before_suspect: suspect, before_answer: answer }: SuggestedTest) {
  const named = [
    { count: start, words: "The task alone" },
    { count: suspect ?? 0, words: "All before the suspected step" },
    { count: answer ?? 0, words: "All before the answer" },
  ];
  return named.filter(
    ({ count }, at) => count > 0 && named.findIndex((other) => other.count === count) === at,
  );
}

function findProblem(suite: string, kept: number | string, check: string): string {
  if (typeof kept !== "number" || kept < 1) return "Enter how many steps to keep.";
  if (suite.trim() === "") return "Name the suite.";
  return check;
}
