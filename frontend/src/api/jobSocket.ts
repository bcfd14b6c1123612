/** The live events of one job, from a given number on, across any number of lost connections. */
import { isLastMessage, parseMessage, sequenceOf, type ServerMessage } from "@/api/protocol";
import { openLogSocket, type LogSocket, type SocketStatus } from "@/api/socket";
import { reportConnection } from "@/lib/connection";
import { withProject } from "@/lib/project";

interface JobSocketOptions {
  jobId: string;
  /** The last number that the caller has already seen; 0 requests everything that is stored. */
  after?: number;
  onMessage: (message: ServerMessage) => void;
  onStatus?: (status: SocketStatus, reason: string) => void;
}

/** Open the socket; close the result when the screen unmounts. The job itself continues. */
export function openJobSocket({
  jobId,
  after = 0,
  onMessage,
  onStatus,
}: JobSocketOptions): LogSocket {
  const who = `job ${jobId}`;
  // An end in the stored log was followed by another attempt, so the log continues after it.
  let logEnd = 0;
  const isLast = (message: ServerMessage) => {
    if (message.type === "hello") logEnd = message.last_seq;
    return isLastMessage(message) && (sequenceOf(message) ?? 0) >= logEnd;
  };
  const socket = openLogSocket<ServerMessage>({
    path: withProject(`/ws/jobs/${encodeURIComponent(jobId)}`),
    after,
    parse: parseMessage,
    sequence: sequenceOf,
    isLast,
    onMessage,
    onStatus: (status, reason) => {
      reportConnection(who, status !== "reconnecting" && status !== "silent");
      onStatus?.(status, reason);
    },
  });
  return socket;
}
