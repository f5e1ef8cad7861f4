import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { Person } from "@/lib/server/auth/person";
import { isAnswer, type Answer, type StreamedAnswer } from "@/lib/server/http/answer";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { clientAddress } from "@/lib/server/http/front-headers";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { TurnLimit } from "@/lib/server/turns";

type Runtime = Pick<AuthRuntime, "turns" | "securityLog">;

/**
 * Answers a request when its session's or client's turn comes. A streamed response is an export: it
 * holds its turn until it is sent, and a person has one at a time.
 * @param given.clientKey see `Turns.take`
 * @param given.person who sent the request; null: a display, or a link's reader
 * @throws Failure `too_many_requests`, and the errors of `work`
 */
export function inTurn(
  { turns, securityLog }: Runtime,
  request: Pick<HttpRequest, "headers" | "method" | "url" | "signal">,
  { clientKey, person }: { clientKey: string; person: Person | null },
  work: () => MaybePromise<Answer | object>,
): MaybePromise<Answer | object> {
  const address = clientAddress(request.headers);
  const refused = (limit: TurnLimit) =>
    securityLog.record("limit_hit", { address, person }, { limit });
  const turn = turns.take(clientKey, {
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
    const finish = (answer: Answer | object): Answer | object => {
      const status = isAnswer(answer) ? answer.status : 200;
      // The response to a HEAD has no body to stream.
      if (!isStreamed(answer) || request.method === "HEAD") {
        done(status);
        return answer;
      }
      const { pieces } = answer;
      try {
        const end = turns.beginExport(person?.id ?? clientKey, refused);
        const release = () => {
          end();
          done(status);
        };
        const failed = (error: unknown) => securityLog.failed("request_failed", error, request);
        return { ...answer, pieces: endingWith(pieces, { release, failed }) };
      } catch (error) {
        void pieces.return();
        throw error;
      }
    };
    try {
      const answer = work();
      // An error in `finish` has not released the turn.
      return answer instanceof Promise ? answer.then(finish).catch(fail) : finish(answer);
    } catch (error) {
      return fail(error);
    }
  });
}

const isStreamed = (answer: object): answer is StreamedAnswer =>
  isAnswer(answer) && "pieces" in answer;

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
