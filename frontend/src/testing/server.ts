/** The stand-in for the network in tests. A test adds the answers it needs with `server.use`. */
import { setupServer } from "msw/node";

export const server = setupServer();
