/** The exact text that a model sees: trained text stands out; hovering inspects a token. */
import { memo, useMemo, useState, type PointerEvent } from "react";

import type { TokenSequence } from "@/api/types";
import classes from "@/features/training/examples/examples.module.css";
import {
  pieceAt,
  placePieces,
  toLines,
  type PlacedPiece,
} from "@/features/training/examples/tokenLines";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface TokenTextProps {
  sequence: TokenSequence;
  /** The maximum number of tokens of an example; `null` without a limit. */
  most: number | null;
  hasEdges: boolean;
}

const ROLES = { learnt: "Text", chosen: "Preferred", rejected: "Original" };

export function TokenText({ sequence, most, hasEdges }: TokenTextProps) {
  const pieces = useMemo(() => placePieces(sequence, most), [sequence, most]);
  const lines = useMemo(() => toLines(pieces), [pieces]);
  const [hovered, setHovered] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const { token_count: count, trained_count: trained, hidden_count: hidden, role } = sequence;
  const made = sequence.is_recorded ? "as recorded" : "made from text";
  const looked = pieceAt(pieces, hovered ?? chosen ?? -1);
  const onPoint = (event: PointerEvent) => setHovered(tokenUnder(event.target));
  return (
    <section className={classes.sequence} aria-label={ROLES[role]} data-role={role}>
      <header className={`ts-row ${classes.facts}`}>
        {role !== "learnt" && <h3>{ROLES[role]}</h3>}
        <span className="ts-number">
          {countOf(count, "token")} {made}, {formatExact(trained)} trained
        </span>
        <span className={`ts-number ts-truncate ${classes.looked}`} aria-live="polite">
          {looked === undefined ? (
            <span className="ts-dimmed">Point at a token to see its id</span>
          ) : (
            describe(looked)
          )}
        </span>
        <input
          type="range"
          className={classes.slider}
          aria-label={`Token of ${ROLES[role].toLowerCase()}`}
          min={hidden}
          max={Math.max(hidden, count - 1)}
          value={chosen ?? hidden}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        />
      </header>
      {hidden > 0 && (
        <p className="ts-hint">{countOf(hidden, "token")} before this are not shown.</p>
      )}
      <div
        className={classes.text}
        data-edges={hasEdges || undefined}
        dir="auto"
        onPointerOver={onPoint}
        onPointerLeave={() => setHovered(null)}
      >
        {lines.map((line, at) => (
          <Line
            key={at}
            line={line}
            hasEdges={hasEdges}
            looked={looked !== undefined && line.includes(looked) ? looked : null}
          />
        ))}
      </div>
    </section>
  );
}

interface LineProps {
  line: readonly PlacedPiece[];
  hasEdges: boolean;
  looked: PlacedPiece | null;
}

const Line = memo(function Line({ line, hasEdges, looked }: LineProps) {
  return (
    <div className={classes.line}>
      {line.map((piece, at) => (
        <span
          key={at}
          className={classes.piece}
          data-at={piece.ids.length > 0 ? piece.at : undefined}
          data-learnt={piece.weight > 0 || undefined}
          data-unlearnt={piece.weight < 0 || undefined}
          data-cut={piece.isCut || undefined}
          data-lost={piece.ids.length === 0 || undefined}
          data-looked={piece === looked || undefined}
        >
          {drawn(piece, hasEdges)}
        </span>
      ))}
    </div>
  );
});

/** Makes line breaks visible that are trained, or that would otherwise not be seen. */
function drawn({ text, weight }: PlacedPiece, hasEdges: boolean): string {
  const shown = visibleText(text);
  return hasEdges || weight !== 0 ? shown.replaceAll("\n", "↵\n") : shown;
}

function tokenUnder(target: EventTarget): number | null {
  const at = target instanceof HTMLElement ? target.dataset["at"] : undefined;
  return at === undefined ? null : Number(at);
}

const SHOWN = 24;

function describe({ at, ids, text, weight, isCut }: PlacedPiece): string {
  const numbers = ids.length === 1 ? "id" : "ids";
  const shown = JSON.stringify(visibleText(text.slice(0, SHOWN)));
  const use = isCut
    ? "cut"
    : weight === 0
      ? "not trained"
      : weight === 1
        ? "trained"
        : `weight ${weight}`;
  return `Token ${formatExact(at + 1)}, ${numbers} ${ids.join(", ")}, ${shown}, ${use}`;
}
