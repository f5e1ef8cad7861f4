import { z } from "zod";
import { postJson } from "@/lib/server/delivery/sent";
import type { Http, HttpAnswer, HttpFailure } from "@/lib/server/upstream/http";

const SLACK_API = "https://slack.com/api";

/** Calls a method of Slack's Web API with a token; never rejects. */
export type CallSlack = (
  method: string,
  token: string,
  body: object,
) => Promise<HttpAnswer | HttpFailure>;

/** @param api replaces Slack's URL in tests */
export function createCallSlack(send: Http["send"], api = SLACK_API): CallSlack {
  return (method, token, body) =>
    postJson(send, `${api}/${method}`, JSON.stringify(body), { authorization: `Bearer ${token}` });
}

/** What all of Slack's answers have in common; its error codes are documented. */
const Answer = z.looseObject({
  ok: z.boolean(),
  error: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .optional(),
});
export type SlackAnswer = z.infer<typeof Answer>;

/** Null: it isn't Slack's. */
export function slackAnswer({ body }: HttpAnswer): SlackAnswer | null {
  try {
    return Answer.safeParse(JSON.parse(body.toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/** Errors for which a retry may help. */
const PASSING: ReadonlySet<string> = new Set([
  "fatal_error",
  "internal_error",
  "ratelimited",
  "rate_limited",
  "request_timeout",
  "service_unavailable",
]);

export function isPassing(error: string): boolean {
  return PASSING.has(error);
}
