/** The stand-in for the network in tests. A test adds the answers it needs with `server.use`. */
import { setupServer } from "msw/node";

import { answer } from "@/testing/answers";
import { session } from "@/testing/builders";

/** Every screen asks who is there: an owner, unless a test says otherwise. */
export const server = setupServer(answer("get", "/session", session()));
