/** The pieces of a sequence as lines to draw, each piece with the number of its first token. */
import type { TokenPiece, TokenSequence } from "@/api/types";

export interface PlacedPiece extends TokenPiece {
  /** Of its first token in the whole sequence, from 0. */
  at: number;
  isCut: boolean;
}

/** What does not fit into `most` tokens is cut at the beginning, as the trainer cuts it. */
export function placePieces(sequence: TokenSequence, most: number | null): PlacedPiece[] {
  const over = most === null ? 0 : Math.max(0, sequence.token_count - most);
  let at = sequence.hidden_count;
  return sequence.pieces.map((piece) => {
    const placed = { ...piece, at, isCut: at < over };
    at += piece.ids.length;
    return placed;
  });
}

/** A line ends with the piece that breaks it, so that only lines in view need be drawn. */
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

/** The piece that a token is of. */
export function pieceAt(pieces: readonly PlacedPiece[], token: number): PlacedPiece | undefined {
  return pieces.findLast(({ at, ids }) => at <= token && ids.length > 0);
}
