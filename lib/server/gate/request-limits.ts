import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { Person } from "@/lib/server/auth/person";
import {
  isHandlerResponse,
  type HandlerResponse,
  type StreamedResponse,
} from "@/lib/server/http/handler-response";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { clientAddress } from "@/lib/server/http/front-headers";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { RequestLimit } from "@/lib/server/request-limits";

type Runtime = Pick<AuthRuntime, "requestLimits" | "securityLog">;

/**
 * Runs `work` within the limits of the request's session or client. A streamed response is an export: it counts as
 * running until it is sent, and a person has one at a time.
 * @param given.clientKey see `RequestLimits.take`
 * @param given.person who sent the request; null: a display, or a link's reader
 * @throws Failure `too_many_requests`, and the errors of `work`
 */
export function withRequestLimits(
  { requestLimits, securityLog }: Runtime,
  request: Pick<HttpRequest, "headers" | "method" | "url" | "signal">,
  { clientKey, person }: { clientKey: string; person: Person | null },
  work: () => MaybePromise<HandlerResponse | object>,
): MaybePromise<HandlerResponse | object> {
  const address = clientAddress(request.headers);
  const refused = (limit: RequestLimit) =>
    securityLog.record("limit_hit", { address, person }, { limit });
  const turn = requestLimits.take(clientKey, {
    get signal() {
      return request.signal;
    },
    refused,
  });
  return andThen(turn, (done) => {
    const fail = (error: unknown): never => {
      done(500);
      throw error;
    };
    const finish = (response: HandlerResponse | object): HandlerResponse | object => {
      const status = isHandlerResponse(response) ? response.status : 200;
      // The response to a HEAD has no body to stream.
      if (!isStreamed(response) || request.method === "HEAD") {
        done(status);
        return response;
      }
      const { pieces } = response;
      try {
        const end = requestLimits.beginExport(person?.id ?? clientKey, refused);
        const release = () => {
          end();
          done(status);
        };
        const failed = (error: unknown) => securityLog.failed("request_failed", error, request);
        return { ...response, pieces: endingWith(pieces, { release, failed }) };
      } catch (error) {
        void pieces.return();
        throw error;
      }
    };
    try {
      const response = work();
      // An error in `finish` has not released the turn.
      return response instanceof Promise ? response.then(finish).catch(fail) : finish(response);
    } catch (error) {
      return fail(error);
    }
  });
}

const isStreamed = (response: object): response is StreamedResponse =>
  isHandlerResponse(response) && "pieces" in response;

/** Passes pieces through; calls `release` once at the end, or when the reader stops. */
function endingWith(
  pieces: AsyncGenerator<string, void, void>,
  { release, failed }: { release: () => void; failed: (error: unknown) => void },
): AsyncGenerator<string, void, void> {
  let isOver = false;
  const end = () => {
    if (!isOver) release();
    isOver = true;
  };
  const over = { done: true, value: undefined } as const;
  return {
    async next() {
      try {
        const step = await pieces.next();
        if (step.done === true) end();
        return step;
      } catch (error) {
        failed(error);
        end();
        throw error;
      }
    },
    async return() {
      end();
      await pieces.return();
      return over;
    },
    async throw() {
      end();
      await pieces.return();
      return over;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
