/** A websocket over a numbered event log: it reconnects by itself and misses nothing. */
import { reportProjectLost } from "@/lib/connection";

/** `silent`: connected, but even the pings have stopped. */
export type SocketStatus = "connecting" | "connected" | "silent" | "reconnecting" | "closed";

export interface LogSocketOptions<Message> {
  /** Path of the socket; `?after=N` is added with the last number seen. */
  path: string;
  /** The last number already known; 0 asks for everything. */
  after?: number;
  /** Parse what arrived; `null` if it is not a known message. */
  parse: (text: string) => Message | null;
  /** The number of a message; `null` for one outside the log (a ping, an error). */
  sequence: (message: Message) => number | null;
  onMessage: (message: Message) => void;
  onStatus?: (status: SocketStatus, reason: string) => void;
  /** True for a message after which no more follow. */
  isLast?: (message: Message) => boolean;
}

export interface LogSocket {
  close: () => void;
  /** The number of the last message that `onMessage` received. */
  lastSequence: () => number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** The server pings every second when it has nothing else to send: a longer silence is reported. */
const SILENCE_MS = 1_900;
/** After this much silence a new connection may do better. */
const DEAD_MS = 15_000;
/** The server's permanent refusals: signed out, not allowed, no such job. */
const LEFT = 4403;
const REFUSALS = new Map([
  [4400, "The server did not understand the request."],
  [4401, "You are signed out."],
  [LEFT, "You are no longer in this project."],
  [4404, "Job not found."],
]);

export function openLogSocket<Message>(options: LogSocketOptions<Message>): LogSocket {
  let last = options.after ?? 0;
  let failures = 0;
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;
  let finished = false;

  function connect(): void {
    report(failures === 0 ? "connecting" : "reconnecting");
    socket = new WebSocket(socketUrl(options.path, last));
    socket.onopen = () => {
      failures = 0;
      report("connected");
      watch();
    };
    socket.onmessage = (event: MessageEvent) => receive(event.data);
    socket.onclose = (event) => {
      if (finished) return;
      const refusal = REFUSALS.get(event.code);
      if (event.code === LEFT) reportProjectLost();
      if (refusal !== undefined) stop(refusal);
      else retry();
    };
  }

  function receive(data: unknown): void {
    if (finished || typeof data !== "string") return;
    watch();
    const message = options.parse(data);
    if (message === null) return;
    const number = options.sequence(message);
    if (number !== null) {
      // A reconnect may repeat messages that were in flight: each number is delivered once.
      if (number <= last) return;
      last = number;
    }
    options.onMessage(message);
    if (options.isLast?.(message) === true) stop("");
  }

  function watch(): void {
    clearTimeout(watchdog);
    if (isSilent) report("connected");
    isSilent = false;
    watchdog = setTimeout(() => {
      isSilent = true;
      report("silent");
      watchdog = setTimeout(() => socket?.close(), DEAD_MS - SILENCE_MS);
    }, SILENCE_MS);
  }

  function retry(): void {
    clearTimeout(watchdog);
    isSilent = false;
    failures += 1;
    report("reconnecting");
    timer = setTimeout(connect, backoff(failures));
  }

  function stop(reason: string): void {
    finished = true;
    clearTimeout(timer);
    clearTimeout(watchdog);
    window.removeEventListener("online", hurry);
    socket?.close();
    report("closed", reason);
  }

  /** The network is back: reconnect now instead of waiting. */
  function hurry(): void {
    if (finished || failures === 0 || socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(timer);
    connect();
  }

  function report(status: SocketStatus, reason = ""): void {
    options.onStatus?.(status, reason);
  }

  window.addEventListener("online", hurry);
  connect();
  return { close: () => !finished && stop(""), lastSequence: () => last };
}

/** Exponential backoff with 25 % jitter, so that many tabs do not reconnect at the same moment. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return wait * (0.75 + random() * 0.5);
}

function socketUrl(path: string, after: number): string {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("after", String(after));
  return url.href;
}
