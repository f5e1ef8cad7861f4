import { z } from "zod";

/** What Slack sends over a socket of Socket Mode, as far as we use it. Anything else is acknowledged and ignored. */

const Id = z.string().regex(/^[A-Z0-9]{1,30}$/);
const Ts = z.string().max(100);

/** A link to a domain of the app in a message, which may not have been sent yet. */
const LinkShared = z.object({
  team_id: Id,
  event_id: z.string().min(1).max(100),
  event: z.object({
    type: z.literal("link_shared"),
    user: z.string().max(100),
    /** `COMPOSER` while the message is being written. */
    channel: Id,
    message_ts: Ts,
    unfurl_id: z.string().min(1).max(500).optional(),
    source: z.enum(["composer", "conversations_history"]).optional(),
    links: z.array(z.object({ url: z.string().max(3_000) })).max(200),
  }),
});
export type LinkShared = z.infer<typeof LinkShared>;

/** A press of a button in a message. */
const BlockActions = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: Id, team_id: Id, name: z.string().max(200).catch("") }),
  team: z.object({ id: Id, domain: z.string().max(200).catch("") }).nullish(),
  channel: z.object({ id: Id }),
  container: z.object({ message_ts: Ts, thread_ts: Ts.optional() }),
  actions: z
    .array(z.object({ action_id: z.string().max(255), value: z.string().max(2_000).optional() }))
    .min(1)
    .max(25),
});
export type BlockActions = z.infer<typeof BlockActions>;

const Envelope = z.union([
  z.object({ type: z.literal("hello") }),
  z.object({ type: z.literal("disconnect"), reason: z.string().max(100).catch("") }),
  z.object({
    type: z.string().max(100),
    envelope_id: z.string().min(1).max(200),
    payload: z.unknown(),
  }),
]);

export type SlackEnvelope =
  | { kind: "hello" }
  /** Slack is about to close the connection; `isOff`: Socket Mode was turned off in the app. */
  | { kind: "disconnect"; isOff: boolean }
  /** `key`: the same whenever Slack sends it again. `content` null: to be acknowledged only. */
  | { kind: "event"; id: string; key: string; content: SlackEvent | null };

export type SlackEvent =
  | { kind: "links"; shared: LinkShared }
  | { kind: "press"; press: BlockActions };

/** @returns null: it isn't an envelope */
export function readEnvelope(text: string): SlackEnvelope | null {
  const parsed = Envelope.safeParse(json(text)).data;
  if (parsed === undefined) return null;
  if (!("envelope_id" in parsed))
    return parsed.type === "hello"
      ? { kind: "hello" }
      : { kind: "disconnect", isOff: parsed.reason === "link_disabled" };
  const { type, envelope_id: id, payload } = parsed;
  if (type === "events_api") {
    const shared = LinkShared.safeParse(payload).data;
    const content = shared === undefined ? null : { kind: "links" as const, shared };
    return { kind: "event", id, key: shared?.event_id ?? id, content };
  }
  const press = type === "interactive" ? BlockActions.safeParse(payload).data : undefined;
  return {
    kind: "event",
    id,
    key: id,
    content: press === undefined ? null : { kind: "press", press },
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
