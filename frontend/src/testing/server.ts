/** A stand-in for the network. A test adds the answers that it needs with `server.use`. */
import { setupServer } from "msw/node";

import { answer } from "@/testing/answers";
import { session } from "@/testing/builders";

/** Every screen requests the session: an owner, unless a test overrides it. */
export const server = setupServer(answer("get", "/session", session()));
