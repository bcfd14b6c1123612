/** One prompt to experiment with: its messages, tools and parameters, and the answers to it. */
import type { ServerMessage } from "@/api/protocol";
import type { PlaygroundRun } from "@/api/types";
import { isObject } from "@/lib/json";
import { growTools } from "@/lib/toolCalls";
import { prettyJson } from "@/lib/valueShapes";

export interface EditedMessage {
  key: number;
  role: string;
  text: string;
  /** The message's other fields, as JSON text; empty if there are none. */
  rest: string;
}

export interface Answer {
  key: number;
  /** `null`: the model of the recorded call. */
  modelId: string | null;
  jobId: string | null;
  state: "none" | "asking" | "answering" | "done" | "failed" | "stopped";
  text: string;
  reasoning: string;
  tools: readonly { name: string; arguments: string }[];
  error: string;
  /** The complete answer with its price, once it has finished. */
  run: PlaygroundRun | null;
}

export interface Playground {
  messages: readonly EditedMessage[];
  tools: string;
  parameters: string;
  answers: readonly Answer[];
  nextKey: number;
}

export const MOST_ANSWERS = 4;

export type PlaygroundEvent =
  | { type: "message.edited"; key: number; part: Partial<Omit<EditedMessage, "key">> }
  | { type: "message.added"; after: number | null }
  | { type: "message.removed"; key: number }
  | { type: "message.moved"; key: number; by: -1 | 1 }
  | { type: "tools.edited"; text: string }
  | { type: "parameters.edited"; text: string }
  | { type: "answer.added" }
  | { type: "answer.removed"; key: number }
  | { type: "answer.chosen"; key: number; modelId: string | null }
  | { type: "answer.asked"; key: number }
  | { type: "answer.queued"; key: number; jobId: string }
  | { type: "answer.refused"; key: number; message: string }
  | { type: "answer.message"; key: number; message: ServerMessage }
  | { type: "answer.loaded"; key: number; run: PlaygroundRun };

export function openPlayground(
  messages: readonly Record<string, unknown>[],
  tools: readonly unknown[] | null,
  parameters: Record<string, unknown>,
): Playground {
  const edited = messages.map((message, key) => readMessage(message, key));
  return {
    messages: edited,
    tools: tools === null || tools.length === 0 ? "" : prettyJson(tools),
    parameters: Object.keys(parameters).length === 0 ? "" : prettyJson(parameters),
    answers: [emptyAnswer(edited.length), emptyAnswer(edited.length + 1)],
    nextKey: edited.length + 2,
  };
}

function emptyAnswer(key: number): Answer {
  return {
    key,
    modelId: null,
    jobId: null,
    state: "none",
    text: "",
    reasoning: "",
    tools: [],
    error: "",
    run: null,
  };
}

function readMessage(message: Record<string, unknown>, key: number): EditedMessage {
  const { role, content, ...others } = message;
  const isText = typeof content === "string";
  const rest =
    isText || content === undefined || content === null ? others : { content, ...others };
  const known = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== null && value !== undefined),
  );
  return {
    key,
    role: typeof role === "string" ? role : "user",
    text: isText ? content : "",
    rest: Object.keys(known).length === 0 ? "" : prettyJson(known),
  };
}

export function reducePlayground(playground: Playground, event: PlaygroundEvent): Playground {
  switch (event.type) {
    case "message.edited":
      return {
        ...playground,
        messages: playground.messages.map((message) =>
          message.key === event.key ? { ...message, ...event.part } : message,
        ),
      };
    case "message.added":
      return addMessage(playground, event.after);
    case "message.removed":
      return {
        ...playground,
        messages: playground.messages.filter(({ key }) => key !== event.key),
      };
    case "message.moved":
      return { ...playground, messages: moved(playground.messages, event.key, event.by) };
    case "tools.edited":
      return { ...playground, tools: event.text };
    case "parameters.edited":
      return { ...playground, parameters: event.text };
    case "answer.added":
      return {
        ...playground,
        answers: [...playground.answers, emptyAnswer(playground.nextKey)],
        nextKey: playground.nextKey + 1,
      };
    case "answer.removed":
      return { ...playground, answers: playground.answers.filter(({ key }) => key !== event.key) };
    default:
      return {
        ...playground,
        answers: playground.answers.map((answer) =>
          answer.key === event.key ? reduceAnswer(answer, event) : answer,
        ),
      };
  }
}

function addMessage(playground: Playground, after: number | null): Playground {
  const { messages, nextKey } = playground;
  const at = after === null ? messages.length : messages.findIndex(({ key }) => key === after) + 1;
  const added = { key: nextKey, role: "user", text: "", rest: "" };
  return { ...playground, messages: messages.toSpliced(at, 0, added), nextKey: nextKey + 1 };
}

function moved(messages: readonly EditedMessage[], key: number, by: -1 | 1) {
  const from = messages.findIndex((message) => message.key === key);
  const message = messages[from];
  const to = from + by;
  if (message === undefined || to < 0 || to >= messages.length) return messages;
  return messages.toSpliced(from, 1).toSpliced(to, 0, message);
}

type AnswerEvent = Extract<PlaygroundEvent, { type: `answer.${string}`; key: number }>;

function reduceAnswer(answer: Answer, event: AnswerEvent): Answer {
  switch (event.type) {
    case "answer.chosen":
      return { ...answer, modelId: event.modelId };
    case "answer.asked":
      return { ...emptyAnswer(answer.key), modelId: answer.modelId, state: "asking" };
    case "answer.queued":
      return { ...answer, jobId: event.jobId };
    case "answer.refused":
      return { ...answer, state: "failed", error: event.message };
    case "answer.message":
      return hear(answer, event.message);
    case "answer.loaded":
      return load(answer, event.run);
    case "answer.removed":
      return answer;
  }
}

function hear(answer: Answer, message: ServerMessage): Answer {
  switch (message.type) {
    case "node.started":
      // Another worker took over, and starts again.
      return { ...answer, state: "answering", text: "", reasoning: "", tools: [] };
    case "step.delta":
      return {
        ...answer,
        state: "answering",
        text: answer.text + message.text,
        reasoning: answer.reasoning + message.reasoning,
        tools:
          message.tool_index === null
            ? answer.tools
            : growTools(answer.tools, message.tool_index, message),
      };
    case "job.state":
      return endOf(answer, message.state, message.message);
    default:
      return answer;
  }
}

function endOf(answer: Answer, state: string, message: string): Answer {
  if (state === "succeeded") return { ...answer, state: "done" };
  if (state === "failed") return { ...answer, state: "failed", error: message };
  if (state === "cancelled") return { ...answer, state: "stopped" };
  return answer;
}

function load(answer: Answer, run: PlaygroundRun): Answer {
  if (run.job.id !== answer.jobId) return answer;
  const ended = endOf(answer, run.job.state, run.job.message);
  if (run.output === null) return { ...ended, run };
  const { content, reasoning_content: reasoning } = run.output;
  return {
    ...ended,
    run,
    text: typeof content === "string" ? content : ended.text,
    reasoning: typeof reasoning === "string" ? reasoning : ended.reasoning,
  };
}

export function isUnderWay({ state }: Pick<Answer, "state">): boolean {
  return state === "asking" || state === "answering";
}

export type ReadPrompt =
  | {
      messages: Record<string, unknown>[];
      tools: Record<string, unknown>[] | null;
      parameters: Record<string, unknown>;
    }
  | { problem: string };

/** The prompt as it is sent, or why it cannot be sent. */
export function readPrompt({ messages, tools, parameters }: Playground): ReadPrompt {
  if (messages.length === 0) return { problem: "A prompt needs at least one message." };
  const read: Record<string, unknown>[] = [];
  for (const [at, message] of messages.entries()) {
    const rest = readObject(message.rest);
    if (rest === null) return { problem: `The JSON of message ${at + 1} is not an object.` };
    const hasContent = "content" in rest;
    const isBare = message.text === "" && Object.keys(rest).length > 0;
    read.push({
      role: message.role,
      ...(hasContent ? {} : { content: isBare ? null : message.text }),
      ...rest,
    });
  }
  const given = readObject(parameters);
  if (given === null) return { problem: "The parameters must be a JSON object." };
  const offered = readList(tools);
  if (offered === null) return { problem: "The tools must be a JSON list of objects." };
  return { messages: read, tools: offered.length === 0 ? null : offered, parameters: given };
}

function readObject(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  const value = parse(text);
  return isObject(value) ? value : null;
}

function readList(text: string): Record<string, unknown>[] | null {
  if (text.trim() === "") return [];
  const value = parse(text);
  return Array.isArray(value) && value.every(isObject) ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a text is not JSON; `null` for an empty text. */
export function jsonProblemOf(text: string): string | null {
  if (text.trim() === "") return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "Invalid JSON";
  }
}
