/** What to know about an example before a base is trained on it, one sentence each. */
import type { ChatTemplate, ExampleTokens, TokenSequence } from "@/api/types";
import { countOf, formatExact } from "@/lib/format";

export interface Note {
  isBad: boolean;
  words: string;
}

/** The longest example that each preset accepts, by the preset's name. */
export type Limits = ReadonlyMap<string, number>;

interface Lengths {
  /** The limit that the reader entered; `null` without one. */
  most: number | null;
  limits: Limits;
}

export function notesOf(tokens: ExampleTokens, { most, limits }: Lengths): Note[] {
  if (tokens.problem !== "") return [{ isBad: true, words: tokens.problem }];
  const longest = Math.max(...tokens.sequences.map(({ token_count: count }) => count));
  return [
    ...tokens.sequences.flatMap((sequence) => sequenceNotes(sequence, tokens.base)),
    ...contextNote(longest, tokens),
    ...(most === null ? presetNote(longest, limits) : cutNote(tokens.sequences, most)),
  ];
}

function sequenceNotes(sequence: TokenSequence, base: string): Note[] {
  const notes: Note[] = [];
  if (sequence.trained_count === 0) {
    notes.push({ isBad: true, words: "None of its tokens are trained on." });
  }
  if (sequence.loses_thoughts) {
    notes.push({
      isBad: true,
      words: `The chat template of ${base} has no place for thoughts, so the answer is trained without them.`,
    });
  }
  if (!sequence.is_text_kept) {
    notes.push({
      isBad: true,
      words:
        "The tokens decode to another text: the tokenizer changes what is written, so the model learns that other text.",
    });
  }
  if (sequence.is_retokenized) {
    notes.push({
      isBad: false,
      words:
        "Tokenized as a whole, the text would give other tokens. Shown are those that are trained and served: prompt and answer tokenized separately.",
    });
  }
  return notes;
}

function contextNote(longest: number, { base, context_length: context }: ExampleTokens): Note[] {
  if (context === null || longest <= context) return [];
  return [
    {
      isBad: true,
      words: `Its ${formatExact(longest)} tokens are more than the ${formatExact(context)} that ${base} was made for.`,
    },
  ];
}

function presetNote(longest: number, limits: Limits): Note[] {
  const short = [...limits].filter(([, limit]) => limit < longest);
  if (short.length === 0) return [];
  const presets = short.map(([name, limit]) => `${name} (${formatExact(limit)})`).join(", ");
  return [{ isBad: false, words: `Left out by ${presets}, unless “Longest example” is raised.` }];
}

function cutNote(sequences: readonly TokenSequence[], most: number): Note[] {
  const over = Math.max(...sequences.map(({ token_count: count }) => count - most));
  if (over <= 0) return [];
  const isNothingLeft = sequences.some(
    (sequence) => learntAfter(sequence, sequence.token_count - most) === 0,
  );
  return [
    {
      isBad: isNothingLeft,
      words: isNothingLeft
        ? `${countOf(over, "token")} too long. Its answer is never cut, so it is left out.`
        : `${countOf(over, "token")} too long: left out, or, with too_long "cut_start", trained without what is struck through.`,
    },
  ];
}

/** How many trained tokens remain when `over` tokens are cut: never a part of an answer. */
function learntAfter({ pieces, hidden_count: hidden }: TokenSequence, over: number): number {
  let end = hidden;
  let left = 0;
  let isCut = over > 0;
  for (const { ids, weight } of pieces) {
    end += ids.length;
    if (weight === 0 && end > over) isCut = false;
    if (weight !== 0 && !isCut) left += ids.length;
  }
  return left;
}

export interface TemplateWords {
  title: string;
  meaning: string;
}

/** What the two properties of a chat template mean for training. */
export function templateWords({
  keeps_prefixes: keeps,
  marks_generation: marks,
}: ChatTemplate): TemplateWords[] {
  return [
    keeps
      ? {
          title: "Keeps prefixes",
          meaning: "a longer chat begins with the text of the shorter one, as in a run.",
        }
      : {
          title: "Rewrites earlier turns",
          meaning:
            "a longer chat does not begin with the text of the shorter one, so each call is a separate example; tool calls that do not continue their prompt are refused.",
        },
    marks
      ? {
          title: "Marks what is generated",
          meaning: "its marks are not used: the text that it adds for the answer is trained.",
        }
      : {
          title: "Marks nothing as generated",
          meaning: "like most templates: the text that it adds for the answer is trained.",
        },
  ];
}
