/** A tape that grows while a person watches it: a pure reducer over the messages of its job. */
import type { MessageOf, ServerMessage, StreamedStep } from "@/api/protocol";
import type { Job } from "@/api/types";
import { growTools, type ToolText } from "@/lib/toolCalls";

/** A node run whose answer is still being written. */
export interface Writing {
  promptId: string;
  agent: string;
  node: string;
  /** Whose it is of agents that were called together, like `2/1`; empty: none of them. */
  lane: string;
  hasCall: boolean;
  text: string;
  reasoning: string;
  tools: readonly ToolText[];
  /** What the node has made of the answer so far, if it reports it; shown instead of the answer. */
  made: { text: string; tools: readonly ToolText[] } | null;
  pace: Pace;
  /** When its first message arrived; `null` for one that was read from the store. */
  since: number | null;
}

/** How fast text arrives: only pieces that arrived apart in time count, not a replayed log. */
export interface Pace {
  lastAt: number | null;
  characters: number;
  milliseconds: number;
}

export interface LiveTape {
  tapeId: string;
  jobId: string | null;
  /** How often a click or key on this page started a run or let one continue. */
  startCount: number;
  /** `null` until a run is known. */
  state: Job["state"] | null;
  message: string;
  errorCode: string;
  cancelledBy: string;
  /** Steps received over the socket, by position. */
  steps: ReadonlyMap<number, StreamedStep>;
  writing: Writing | null;
  /** What the others write meanwhile, of agents that were called together. */
  beside: readonly Writing[];
  /** What was being written when the run ended; it is on no tape. */
  cutShort: Writing | null;
  /** When the current stretch of work started, by the server's clock, and the earlier seconds. */
  work: { beganAt: number; secondsBefore: number } | null;
  /** The server's clock when the socket opened, and this page's at that moment. */
  clock: { server: number; at: number } | null;
  /** The newest messages about the job itself, oldest first; one of each type. */
  news: readonly JobNews[];
  /** Increases when the log was pruned beyond what we have: the tape must be loaded again. */
  missed: number;
  /** The log's newest number when the socket opened: messages up to it are history. */
  logEnd: number;
}

export type JobNews = MessageOf<"job.state"> | MessageOf<"job.control">;

export type LiveEvent =
  | {
      type: "run.watched";
      jobId: string;
      state: Job["state"];
      message: string;
      cancelledBy: string;
      /** A click or key on this page started it or let it continue. */
      isStartedHere?: true;
    }
  | { type: "run.answered" }
  | { type: "run.cutOff"; writing: Writing }
  | { type: "run.message"; message: ServerMessage; at: number };

export function emptyLiveTape(tapeId: string): LiveTape {
  return {
    tapeId,
    jobId: null,
    startCount: 0,
    state: null,
    message: "",
    errorCode: "",
    cancelledBy: "",
    steps: new Map(),
    writing: null,
    beside: [],
    cutShort: null,
    work: null,
    clock: null,
    news: [],
    missed: 0,
    logEnd: 0,
  };
}

const UNFINISHED = new Set<Job["state"]>(["queued", "running", "waiting", "paused"]);

export function isUnfinished(state: Job["state"] | null): boolean {
  return state !== null && UNFINISHED.has(state);
}

export function reduceLive(tape: LiveTape, event: LiveEvent): LiveTape {
  if (event.type === "run.message") return applyMessage(tape, event.message, event.at);
  if (event.type === "run.answered") return { ...tape, startCount: tape.startCount + 1 };
  if (event.type === "run.cutOff") {
    // The socket delivered at least as much, and a run that continues has other text.
    const isKnown = tape.cutShort !== null || tape.writing !== null || isUnfinished(tape.state);
    return isKnown ? tape : { ...tape, cutShort: event.writing };
  }
  const { jobId, state, message, cancelledBy } = event;
  const startCount = tape.startCount + Number(event.isStartedHere ?? false);
  if (jobId === tape.jobId) return { ...tape, startCount, state, message, cancelledBy };
  // The steps of an earlier run stay: they are on the tape.
  return {
    ...tape,
    jobId,
    startCount,
    state,
    message,
    cancelledBy,
    errorCode: "",
    writing: null,
    beside: [],
    cutShort: null,
    work: null,
    news: [],
    logEnd: 0,
  };
}

export function applyMessage(tape: LiveTape, message: ServerMessage, at: number): LiveTape {
  switch (message.type) {
    case "run.started":
      return {
        ...tape,
        state: isHistory(tape, message) ? tape.state : "running",
        message: "",
        writing: null,
        beside: [],
        cutShort: null,
        work: { beganAt: Date.parse(message.began_at), secondsBefore: message.seconds_before },
      };
    case "node.started":
      return tape.writing !== null && message.lane !== ""
        ? { ...tape, beside: [...tape.beside, begin(message, at)] }
        : { ...tape, writing: begin(message, at) };
    case "step.delta":
      return write(tape, message, at, (writing) => grow(writing, message, at));
    case "step.partial":
      return write(tape, message, at, (writing) => refine(writing, message));
    case "step.added":
      return addStep(tape, message);
    case "node.finished":
      return finishNode(tape, message);
    case "job.progress":
      return tape;
    case "job.state":
      // An end that is followed by later events belongs to an earlier attempt: the run continues.
      if (isHistory(tape, message))
        return isUnfinished(message.state)
          ? { ...changeState(tape, message), state: tape.state }
          : tape;
      return changeState(tape, message);
    case "job.control":
      return { ...tape, news: withNews(tape.news, message) };
    case "hello":
      return greet(tape, message, at);
    case "ping":
      return tape;
  }
}

/** The greeting has said the state already: a field for an answer stays while the log is read. */
function isHistory(tape: LiveTape, { seq }: { seq: number }): boolean {
  return seq < tape.logEnd;
}

/** What a pruned log no longer contains is on the tape. How a run ended is read from its log. */
function greet(tape: LiveTape, hello: MessageOf<"hello">, at: number): LiveTape {
  const { pruned_seq, last_seq, sent_at } = hello;
  const state = isUnfinished(hello.state) ? hello.state : tape.state;
  const greeted = { ...tape, state, logEnd: last_seq, clock: { server: Date.parse(sent_at), at } };
  if (pruned_seq === 0) return greeted;
  const missed = tape.missed + 1;
  return pruned_seq >= last_seq
    ? { ...greeted, missed, state: hello.state }
    : { ...greeted, missed };
}

function withNews(news: readonly JobNews[], message: JobNews): readonly JobNews[] {
  return [...news.filter(({ type }) => type !== message.type), message];
}

/** Time worked until now, `at` by this page's clock; `null` before the run has started. */
export function secondsWorked(
  { work, clock }: Pick<LiveTape, "work" | "clock">,
  at: number,
): number | null {
  if (work === null || clock === null) return null;
  const now = clock.server + at - clock.at;
  return work.secondsBefore + Math.max(0, now - work.beganAt) / 1000;
}

function begin(
  message: MessageOf<"node.started"> | MessageOf<"step.delta"> | MessageOf<"step.partial">,
  at: number,
): Writing {
  const named = message.type === "node.started";
  return {
    promptId: message.prompt_id,
    agent: named ? message.agent : "",
    node: named ? message.node : "",
    lane: named ? message.lane : "",
    hasCall: named ? message.has_call : true,
    text: "",
    reasoning: "",
    tools: [],
    made: null,
    pace: { lastAt: null, characters: 0, milliseconds: 0 },
    since: at,
  };
}

/** Changes the node run that a message is about; one whose start was missed begins. */
function write(
  tape: LiveTape,
  message: MessageOf<"step.delta"> | MessageOf<"step.partial">,
  at: number,
  change: (writing: Writing) => Writing,
): LiveTape {
  const index = tape.beside.findIndex(({ promptId }) => promptId === message.prompt_id);
  const found = tape.beside[index];
  if (found !== undefined) return { ...tape, beside: tape.beside.with(index, change(found)) };
  const isCurrent = tape.writing?.promptId === message.prompt_id;
  const writing = isCurrent && tape.writing !== null ? tape.writing : begin(message, at);
  return { ...tape, writing: change(writing) };
}

function grow(writing: Writing, delta: MessageOf<"step.delta">, at: number): Writing {
  const size = delta.text.length + delta.reasoning.length + delta.tool_arguments.length;
  return {
    ...writing,
    text: writing.text + delta.text,
    reasoning: writing.reasoning + delta.reasoning,
    tools:
      delta.tool_index === null ? writing.tools : growTools(writing.tools, delta.tool_index, delta),
    pace: keepPace(writing.pace, size, at),
  };
}

/** What the node makes of the answer is shown in place of the answer itself. */
function refine(writing: Writing, { text, tool_name }: MessageOf<"step.partial">): Writing {
  const made = writing.made ?? { text: "", tools: [] };
  if (tool_name === "") return { ...writing, made: { ...made, text: made.text + text } };
  const last = made.tools.at(-1);
  const tools =
    last?.name === tool_name
      ? made.tools.with(-1, { name: tool_name, arguments: last.arguments + text })
      : [...made.tools, { name: tool_name, arguments: text }];
  return { ...writing, made: { ...made, tools } };
}

/** The server sends every 33-50 ms; pieces that arrive closer together were waiting in the log. */
const SHORTEST_GAP_MS = 15;
const CHARACTERS_A_TOKEN = 4;

function keepPace(pace: Pace, size: number, at: number): Pace {
  if (pace.lastAt === null || at - pace.lastAt < SHORTEST_GAP_MS) return { ...pace, lastAt: at };
  return {
    lastAt: at,
    characters: pace.characters + size,
    milliseconds: pace.milliseconds + at - pace.lastAt,
  };
}

const PAUSE_MS = 2_000;

/** About how many tokens arrive a second; `null` until there is enough text, and in pauses. */
export function tokensPerSecond(pace: Pace, now: number): number | null {
  const { characters, milliseconds, lastAt } = pace;
  if (milliseconds < 300 || lastAt === null || now - lastAt > PAUSE_MS) return null;
  return Math.round(characters / CHARACTERS_A_TOKEN / (milliseconds / 1000));
}

function addStep(tape: LiveTape, { tape_id, position, step }: MessageOf<"step.added">): LiveTape {
  if (tape_id !== tape.tapeId) return tape;
  // By position, not order of arrival: a step may be sent twice after a reconnect.
  const steps = new Map(tape.steps).set(position, step);
  const { writing } = tape;
  const isWritten = writing !== null && writing.promptId === step.prompt_id;
  return {
    ...tape,
    steps,
    writing: isWritten ? { ...writing, text: "", reasoning: "", tools: [], made: null } : writing,
  };
}

function finishNode(tape: LiveTape, finished: MessageOf<"node.finished">): LiveTape {
  const { writing } = tape;
  const isOpen = writing !== null && writing.promptId === finished.prompt_id;
  const wasCut = isOpen && finished.error !== "" && hasText(writing);
  const left = tape.beside.filter(({ promptId }) => promptId !== finished.prompt_id);
  return {
    ...tape,
    steps: withUsage(tape.steps, finished),
    writing: isOpen ? (left[0] ?? null) : writing,
    beside: isOpen ? left.slice(1) : left,
    cutShort: wasCut ? writing : tape.cutShort,
  };
}

function withUsage(
  steps: ReadonlyMap<number, StreamedStep>,
  { prompt_id, usage, cost_micro_usd, duration_seconds, call_id }: MessageOf<"node.finished">,
): ReadonlyMap<number, StreamedStep> {
  const own = [...steps].filter(([, step]) => step.prompt_id === prompt_id && prompt_id !== "");
  if (own.length === 0 || call_id === null) return steps;
  const known = { ...usage, cost_micro_usd, duration_seconds, call_id };
  return new Map([
    ...steps,
    ...own.map(([position, step]): [number, StreamedStep] => [position, { ...step, ...known }]),
  ]);
}

function changeState(tape: LiveTape, change: MessageOf<"job.state">): LiveTape {
  const isOver = !isUnfinished(change.state);
  const { writing } = tape;
  return {
    ...tape,
    state: change.state,
    message: change.message,
    errorCode: change.error_code,
    cancelledBy: change.cancelled_by,
    news: withNews(tape.news, change),
    writing: isOver ? null : writing,
    beside: isOver ? [] : tape.beside,
    cutShort: isOver && writing !== null && hasText(writing) ? writing : tape.cutShort,
  };
}

/** "chat.answer writes a tool call" */
export function describeWriting(writing: Writing): string {
  const { agent, node } = writing;
  const name = [agent, node].filter((part) => part !== "").join(".") || "The model";
  return `${name} ${whatIsWritten(writing)}`;
}

export function whatIsWritten(writing: Writing): string {
  const tool = writing.tools.at(-1);
  if (tool !== undefined) return tool.name === "" ? "calls a tool" : `calls ${tool.name}`;
  if (writing.text !== "") return "writes";
  if (hasText(writing)) return "thinks";
  return writing.hasCall ? "waits for the model" : "works";
}

export function hasText({ text, reasoning, tools }: Writing): boolean {
  return text !== "" || reasoning !== "" || tools.length > 0;
}
