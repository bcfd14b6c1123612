/** An example as the tokens of a base model, with notes to read before training. */
import { Checkbox, NumberInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { baseModelsQuery, finetuneOptionsQuery, type FinetuneOptions } from "@/api/training";
import { tokensQuery } from "@/api/trainingExamples";
import type { ExampleTokens } from "@/api/types";
import classes from "@/features/training/examples/examples.module.css";
import { notesOf, templateWords, type Limits } from "@/features/training/examples/tokenNotes";
import { TokenText } from "@/features/training/examples/TokenText";
import { PRESETS } from "@/features/training/finetuneDraft";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface TokenPaneProps {
  setId: string;
  exampleId: string;
}

export function TokenPane({ setId, exampleId }: TokenPaneProps) {
  const [address] = useAddress();
  const bases = useQuery(baseModelsQuery());
  if (bases.data === undefined) {
    if (bases.isPending) return <RowsSkeleton label="Loading base models" rows={6} />;
    return (
      <ErrorState
        title="The base models could not be loaded"
        message={describeError(bases.error)}
        onRetry={() => void bases.refetch()}
      />
    );
  }
  const names = bases.data.map(({ name }) => name);
  const base = address.get("base") ?? names[0];
  if (base === undefined) {
    return (
      <p className="ts-dimmed">
        Tokens depend on the base model, and there is none yet.{" "}
        <Link to="/training?tab=bases">Make the tiny one</Link>
      </p>
    );
  }
  return (
    <>
      <Controls bases={names.includes(base) ? names : [base, ...names]} base={base} />
      <Tokens setId={setId} exampleId={exampleId} base={base} />
    </>
  );
}

function Controls({ bases, base }: { bases: readonly string[]; base: string }) {
  const [address, change] = useAddress();
  return (
    <div className={`ts-row ${classes.controls}`}>
      <Select
        label="Base model"
        allowDeselect={false}
        data={[...bases]}
        value={base}
        onChange={(value) => change({ base: value }, { replace: true })}
      />
      <NumberInput
        label="Longest example"
        placeholder="Any length"
        min={8}
        hideControls
        thousandSeparator=","
        value={address.get("most") ?? ""}
        onChange={(value) =>
          change({ most: value === "" ? null : String(value) }, { replace: true })
        }
      />
      <Checkbox
        label="Token boundaries"
        checked={address.get("edges") !== null}
        onChange={({ currentTarget }) =>
          change({ edges: currentTarget.checked ? "1" : null }, { replace: true })
        }
      />
    </div>
  );
}

function Tokens({ setId, exampleId, base }: TokenPaneProps & { base: string }) {
  const tokens = useQuery(tokensQuery(setId, exampleId, base));
  if (tokens.data === undefined) {
    if (tokens.isPending) {
      return (
        <>
          <p className="ts-hint" role="status">
            Tokenizing for {visibleText(base)}. The first time takes a few seconds.
          </p>
          <RowsSkeleton label="Loading the tokens" rows={6} />
        </>
      );
    }
    return (
      <ErrorState
        title="The tokens could not be loaded"
        message={describeError(tokens.error)}
        onRetry={() => void tokens.refetch()}
      />
    );
  }
  return <Written tokens={tokens.data} />;
}

function Written({ tokens }: { tokens: ExampleTokens }) {
  const [address] = useAddress();
  const options = useQuery(finetuneOptionsQuery());
  const limits = useMemo(() => limitsOf(options.data), [options.data]);
  const asked = Number(address.get("most") ?? "");
  const most = asked > 0 ? asked : null;
  const notes = notesOf(tokens, { most, limits });
  return (
    <>
      {notes.length > 0 && (
        <ul className={classes.notes} aria-label="Notes on the example">
          {notes.map(({ isBad, words }) => (
            <li key={words} className={isBad ? "ts-bad" : "ts-warn"}>
              {visibleText(words)}
            </li>
          ))}
        </ul>
      )}
      {tokens.sequences.map((sequence) => (
        <TokenText
          key={sequence.role}
          sequence={sequence}
          most={most}
          hasEdges={address.get("edges") !== null}
        />
      ))}
      {tokens.template !== null && (
        <dl className={classes.template} aria-label="Chat template">
          {templateWords(tokens.template).map(({ title, meaning }) => (
            <div key={title}>
              <dt>{title}:</dt> <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

const MAX_LENGTH = "max_length";

function limitsOf(options: FinetuneOptions | undefined): Limits {
  const plain = options?.schema.properties[MAX_LENGTH]?.["default"];
  return new Map(
    PRESETS.flatMap(({ value, label }) => {
      const limit = options?.presets[value]?.[MAX_LENGTH] ?? plain;
      const [name = label] = label.split(":");
      return typeof limit === "number" ? [[name, limit] as const] : [];
    }),
  );
}
