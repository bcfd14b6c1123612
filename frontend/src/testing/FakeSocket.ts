/** A stand-in for the browser's WebSocket: a test opens it, feeds it and drops it. */
import { vi } from "vitest";

import type { ServerMessage } from "@/api/protocol";

export class FakeSocket {
  static readonly CLOSED = 3;
  static opened: FakeSocket[] = [];

  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.opened.push(this);
  }

  static install(): void {
    FakeSocket.opened = [];
    vi.stubGlobal("WebSocket", FakeSocket);
  }

  static newest(): FakeSocket {
    const socket = FakeSocket.opened.at(-1);
    if (socket === undefined) throw new Error("No socket was opened.");
    return socket;
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  /** Takes only complete frames: the page discards one that lacks a field. */
  send(frame: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  drop(code = 1006): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.({ code });
  }

  close(): void {
    if (this.readyState !== FakeSocket.CLOSED) this.drop(1000);
  }
}
