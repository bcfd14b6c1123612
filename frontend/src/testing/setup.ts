import "@testing-library/jest-dom/vitest";

import { notifications } from "@mantine/notifications";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll } from "vitest";

import { server } from "@/testing/server";

// A busy machine takes long to load modules that load on first render.
configure({ asyncUtilTimeout: 10_000 });

// happy-dom has no layout: without sizes a virtual list would draw no row.
for (const [name, value] of Object.entries({
  offsetHeight: 800,
  offsetWidth: 1200,
  clientHeight: 800,
  clientWidth: 1200,
})) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
}

// Without a rectangle, a popover counts as out of sight and is not shown.
Object.defineProperty(HTMLElement.prototype, "getBoundingClientRect", {
  configurable: true,
  value: () => new DOMRect(0, 0, 1200, 800),
});

// A growing text area waits for the fonts.
Object.defineProperty(document, "fonts", { configurable: true, value: new EventTarget() });

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => {
  cleanup();
  notifications.clean();
  server.resetHandlers();
  window.localStorage.clear();
});
afterAll(() => server.close());
