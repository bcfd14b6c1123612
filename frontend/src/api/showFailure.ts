/** Reports in a toast what failed and why, for actions whose place on the page shows no errors. */
import { notifications } from "@mantine/notifications";

import { describeError } from "@/api/client";

const FAILURE_MS = 10_000;

/** Mantine does not close a toast while the pointer is on it. */
export function showFailure(title: string, reason: unknown): void {
  show(title, reason, FAILURE_MS);
}

/** For failures with many tapes, which take a while to read: the toast stays until it is closed. */
export function showLastingFailure(title: string, reason: unknown): void {
  show(title, reason, false);
}

function show(title: string, reason: unknown, autoClose: number | false): void {
  const message = typeof reason === "string" ? reason : describeError(reason);
  notifications.show({ title, message, color: "red", autoClose });
}
