import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handlers, Method } from "./handlers";
import { andThen } from "@/lib/server/maybe-promise";
import { createAddressTree, type Found } from "./address-tree";
import { httpRequestOf } from "./http-request";
import { sendAnswer } from "./send-answer";

/** Answers API requests in the server itself: through Next each would cost ten times as much. */
export type HotRoutes = {
  /** The handlers of a path without a query; null for other paths. */
  find(path: string): Found<Handlers> | null;
  /**
   * Answers a request that was admitted and whose headers were rewritten.
   * @param headers on every response: names and values in turns, lower case
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    found: Found<Handlers>,
    headers: readonly string[],
  ): void;
};

export function createHotRoutes(addresses: Readonly<Record<string, Handlers>>): HotRoutes {
  return {
    find: createAddressTree(addresses),
    answer(request, response, { value, params }, headers) {
      // Handlers answer their own errors: this is a closed socket, or headers that were already
      // sent.
      const giveUp = () => void response.destroy();
      try {
        const answer = value[request.method as Method](httpRequestOf(request, response), params);
        const sent = andThen(answer, (made) => sendAnswer(request, response, made, headers));
        if (sent instanceof Promise) sent.catch(giveUp);
      } catch {
        giveUp();
      }
    },
  };
}
