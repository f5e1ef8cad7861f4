import type { Http, HttpAnswer, HttpFailure } from "@/lib/server/upstream/http";
import { isRefused } from "./targets";

/** Result of sending a message once. */
export type Sent = {
  /** `unknown`: it may have been received. */
  outcome: "accepted" | "failed" | "unknown";
  /** Whether a retry is pointless. */
  isFinal: boolean;
  retryAfterMs: number | null;
  /** The destination's reference to the message, for follow-ups. */
  reference: string | null;
  /** Encrypted settings of the channel it was sent with; omitted: not to a channel. */
  sealed?: string;
  /** For administrators, in our wording. */
  said: string;
};

/**
 * The first message of a thread delivered to its destination; for that message itself, its id and no reference.
 * `sealed`: the channel's encrypted settings when the reference was read.
 */
export type ThreadHead = { firstId: string; reference: string | null; sealed?: string | null };

export const accepted = (said: string, reference: string | null = null): Sent => ({
  outcome: "accepted",
  isFinal: true,
  retryAfterMs: null,
  reference,
  said,
});

export const failed = (
  said: string,
  isFinal: boolean,
  retryAfterMs: number | null = null,
): Sent => ({
  outcome: "failed",
  isFinal,
  retryAfterMs,
  reference: null,
  said,
});

/** Posts JSON. @param headers lower-case names */
export function postJson(
  send: Http["send"],
  url: string,
  body: string,
  headers: Record<string, string> = {},
): ReturnType<Http["send"]> {
  return send({
    method: "POST",
    url: new URL(url),
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body,
  });
}

/**
 * Result of a response, by its status even if its body couldn't be read. The receiver's own text is never stored.
 * @param ok judges responses with status 2xx by their body; default: they are accepted whatever their body
 */
export function sentBy(answer: HttpAnswer | HttpFailure, ok?: (answer: HttpAnswer) => Sent): Sent {
  if (!("failed" in answer)) {
    const refused = refusedWith(answer.status, wishedMs(answer));
    return refused ?? ok?.(answer) ?? acceptedWith(answer.status);
  }
  const { status } = answer;
  if (status === null) return unanswered(answer);
  return (
    refusedWith(status, null) ?? (ok === undefined ? acceptedWith(status) : unanswered(answer))
  );
}

/**
 * Result of a hook's response. A web page is a sign-in page's or a proxy's: hooks respond with a word, JSON or nothing,
 * whose content type may be `text/html` nevertheless.
 */
export function sentByHook(answer: HttpAnswer | HttpFailure): Sent {
  const sent = sentBy(answer);
  return sent.outcome === "accepted" && isWebPage(answer)
    ? failed("It answered with a web page, so it probably isn’t a webhook.", false)
    : sent;
}

/** Bytes in which a web page shows that it is one: a comment or a declaration may come first. */
const LONGEST_START = 512;

/** Too large an answer is taken for one. */
function isWebPage(answer: HttpAnswer | HttpFailure): boolean {
  if ("failed" in answer) return answer.failed === "too_large";
  // Without a byte order mark, which counts as a blank.
  const start = answer.body.toString("utf8", 0, LONGEST_START).trimStart();
  return start.startsWith("<") && /<(?:!doctype|html|head|script)\b/i.test(start);
}

const acceptedWith = (status: number) => accepted(`It answered with status ${status}.`);

/**
 * Statuses that reject the message itself, or for ever. Others, such as 404 while a receiver is being replaced, are
 * retried.
 */
const REJECTIONS: ReadonlySet<number> = new Set([400, 410, 413, 415, 422]);

/** Null: the status is 2xx. */
function refusedWith(status: number, retryAfterMs: number | null): Sent | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return failed(`It redirects (status ${status}), and redirects aren’t followed.`, true);
  return failed(`It answered with status ${status}.`, REJECTIONS.has(status), retryAfterMs);
}

function unanswered(failure: HttpFailure): Sent {
  if (isRefused(failure))
    return failed(
      "The address is private, or not secure, and isn’t among ALLOWED_TARGETS. Nothing was sent.",
      true,
    );
  if (!failure.maybeReceived) return failed("It couldn’t be reached.", false);
  const why = failure.failed === "timeout" ? "No answer came in time" : "The connection broke";
  return {
    outcome: "unknown",
    isFinal: false,
    retryAfterMs: null,
    reference: null,
    said: `${why}: it may have received the message.`,
  };
}

/** `Retry-After` in seconds; a date is ignored. */
function wishedMs({ headers }: HttpAnswer): number | null {
  const given = headers["retry-after"];
  const text = Array.isArray(given) ? given[0] : given;
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}
