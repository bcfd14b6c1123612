/** Arranges the pieces of a sequence in lines, each piece with the index of its first token. */
import type { TokenPiece, TokenSequence } from "@/api/types";

export interface PlacedPiece extends TokenPiece {
  /** The index of its first token in the full sequence, from 0. */
  at: number;
  isCut: boolean;
}

/** What exceeds `most` tokens is cut at the beginning, as the trainer does. */
export function placePieces(sequence: TokenSequence, most: number | null): PlacedPiece[] {
  const over = most === null ? 0 : Math.max(0, sequence.token_count - most);
  let at = sequence.hidden_count;
  return sequence.pieces.map((piece) => {
    const placed = { ...piece, at, isCut: at < over };
    at += piece.ids.length;
    return placed;
  });
}

/** A line ends after a piece with a line break, so that only lines in view need be drawn. */
export function toLines(pieces: readonly PlacedPiece[]): PlacedPiece[][] {
  const lines: PlacedPiece[][] = [];
  let line: PlacedPiece[] = [];
  for (const piece of pieces) {
    line.push(piece);
    if (piece.text.includes("\n")) {
      lines.push(line);
      line = [];
    }
  }
  return line.length > 0 ? [...lines, line] : lines;
}

/** The piece that contains a token. */
export function pieceAt(pieces: readonly PlacedPiece[], token: number): PlacedPiece | undefined {
  return pieces.findLast(({ at, ids }) => at <= token && ids.length > 0);
}
