import { randomUUID } from "node:crypto";
import type { z } from "zod";
import {
  ChannelChange,
  ChannelRequest,
  channelSettings,
  type Channel,
} from "@/lib/contracts/delivery";
import { Failure } from "@/lib/contracts/failure";
import type { Message } from "@/lib/domain/delivery/message";
import type { ChannelKind, ChannelSettings } from "@/lib/domain/delivery/channel";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { failed } from "@/lib/server/delivery/sent";
import type { SendToChannel } from "@/lib/server/delivery/send-to-channel";
import { newWebhookSecret } from "@/lib/server/delivery/webhook";
import { REMOVED, TEST_TEXT, UNREADABLE } from "@/lib/server/delivery/words";
import { invalid, isUuid, notValid } from "@/lib/server/http/query";
import type { Database } from "@/lib/server/store/database";
import {
  changeChannel as change,
  insertChannel,
  readChannel,
  readChannels,
  recordTest,
  removeChannel as remove,
  type ListedChannel,
} from "@/lib/server/store/delivery/channels";
import { openSettings, shownOf, type ChannelSeal } from "@/lib/server/delivery/channel-settings";
import { isTimeZone } from "@/lib/server/operations/displays/display-view";
import { isOutOfReach, type DialGuard } from "@/lib/server/upstream/dial/allowed-targets";
import { toStorable } from "@/lib/server/store/storable";
import { NOT_A_CHANNEL, NO_CHANNEL, OTHER_KIND, OUT_OF_REACH, TOO_MANY_CHANNELS } from "./words";

type ChannelsRuntime = {
  database: Database;
  clock: Clock;
  channelSeal: ChannelSeal;
  dialGuard: DialGuard;
};

const MAX_CHANNELS = 100;
/** Failing for this long counts as dead. */
const DEAD_MS = 5 * 60_000;

/** Channels with their delivery health: `GET /api/channels`, oldest first. */
export async function listChannels(runtime: ChannelsRuntime): Promise<{ data: Channel[] }> {
  const rows = await readChannels(runtime.database.orm);
  return { data: rows.map((row) => channelView(runtime, row)) };
}

/**
 * Adds a channel: `POST /api/channels`. Only this response contains a webhook's secret.
 * @throws Failure `invalid_request`; `conflict` when there are too many
 */
export async function makeChannel(
  runtime: ChannelsRuntime,
  given: { person: Person; body: unknown },
): Promise<{ data: Channel; secret?: string }> {
  const made = await insert(runtime, null, given);
  if (made === null) throw new Error("a channel has another one's id");
  return made;
}

/**
 * Adds a channel under an id that the client chose: `PUT /api/channels/[id]`. If there is one, changes it as
 * `changeChannel` does, so that a request whose response was lost can be repeated.
 * @throws Failure `invalid_request`, also if it is of another kind; `not_found` if the id isn't a UUID;
 *   `conflict` when there are too many
 */
export async function putChannel(
  runtime: ChannelsRuntime,
  { person, id, body }: { person: Person; id: string; body: unknown },
): Promise<{ data: Channel; secret?: string }> {
  if (!isUuid(id)) throw new Failure("not_found", NO_CHANNEL);
  const made = await insert(runtime, id, { person, body });
  if (made !== null) return made;
  const { kind, ...changes } = ChannelRequest.parse(body);
  const before = await readChannel(runtime.database.orm, id);
  if (before !== null && before.kind !== kind) throw invalid("kind", OTHER_KIND);
  return changeChannel(runtime, { person, id, body: changes });
}

const NONE_MISSED = { missed: 0, waiting: 0 };

/** @returns null: there is already a channel with this id */
async function insert(
  runtime: ChannelsRuntime,
  id: string | null,
  { person, body }: { person: Person; body: unknown },
): Promise<{ data: Channel; secret?: string } | null> {
  const parsed = ChannelRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_A_CHANNEL);
  const { kind, name, settings, time_zone: timeZone } = toStorable(parsed.data);
  const channel = settingsOf(kind, settings, null);
  checkTimeZone(timeZone);
  await checkTarget(runtime, channel);
  const row = await insertChannel(
    runtime.database,
    id,
    {
      kind,
      name,
      timeZone,
      shown: shownOf(channel),
      sealed: runtime.channelSeal.close(JSON.stringify(channel)),
    },
    { ...changeBy(runtime, person), most: MAX_CHANNELS },
  );
  if (row === null) throw new Failure("conflict", TOO_MANY_CHANNELS);
  if (row === "known") return null;
  return {
    data: channelView(runtime, { ...row, ...NONE_MISSED }),
    ...(channel.kind === "webhook" && { secret: channel.settings.secret }),
  };
}

/**
 * Changes a channel: `PATCH /api/channels/[id]`. Omitted settings, including secrets, are
 * unchanged.
 * @throws Failure `invalid_request`; `not_found`
 */
export async function changeChannel(
  runtime: ChannelsRuntime,
  { person, id, body }: { person: Person; id: string; body: unknown },
): Promise<{ data: Channel }> {
  const parsed = ChannelChange.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_A_CHANNEL);
  const before = isUuid(id) ? await readChannel(runtime.database.orm, id) : null;
  if (before === null) throw new Failure("not_found", NO_CHANNEL);
  const { name, settings, time_zone: timeZone } = toStorable(parsed.data);
  checkTimeZone(timeZone);
  const known = openSettings(runtime.channelSeal, before);
  const next = settings === undefined ? null : settingsOf(before.kind, settings, known);
  if (next !== null) await checkTarget(runtime, next);
  const row = await change(
    runtime.database,
    id,
    {
      ...(timeZone !== undefined && { timeZone }),
      ...(name !== undefined && { name }),
      ...(next !== null && {
        shown: shownOf(next),
        sealed: runtime.channelSeal.close(JSON.stringify(next)),
      }),
    },
    { ...changeBy(runtime, person), isMoved: next !== null && isElsewhere(known, next) },
  );
  if (row === null) throw new Failure("not_found", NO_CHANNEL);
  const listed = (await readChannels(runtime.database.orm)).find((one) => one.id === id);
  return { data: channelView(runtime, listed ?? { ...row, ...NONE_MISSED }) };
}

/**
 * Removes a channel: `DELETE /api/channels/[id]`. Its pending messages are listed as failed.
 * @throws Failure `not_found`
 */
export async function removeChannel(
  runtime: ChannelsRuntime,
  { person, id }: { person: Person; id: string },
): Promise<Response> {
  const given = { ...changeBy(runtime, person), said: REMOVED };
  const isRemoved = isUuid(id) && (await remove(runtime.database, id, given));
  if (!isRemoved) throw new Failure("not_found", NO_CHANNEL);
  return new Response(null, { status: 204 });
}

/**
 * Sends a test message: `POST /api/channels/[id]/test`.
 * @returns the outcome; a failed delivery is a normal response
 * @throws Failure `not_found`
 */
export async function testChannel(
  runtime: ChannelsRuntime & { sendToChannel: SendToChannel; appUrl: string },
  { person, id }: { person: Person; id: string },
): Promise<{ outcome: "accepted" | "failed" | "unknown"; said: string }> {
  const { database, clock, channelSeal, sendToChannel, appUrl } = runtime;
  const row = isUuid(id) ? await readChannel(database.orm, id) : null;
  if (row === null) throw new Failure("not_found", NO_CHANNEL);
  const channel = openSettings(channelSeal, row);
  const message: Message = {
    id: `msg_test_${randomUUID()}`,
    type: "brief",
    at: iso(clock.nowMs()),
    company: null,
    incident: null,
    url: `${appUrl}/settings/channels`,
    text: TEST_TEXT,
  };
  const { outcome, said } =
    channel === null
      ? failed(UNREADABLE, true)
      : await sendToChannel(channel, message, { firstId: message.id, reference: null });
  await recordTest(database, row, { ...changeBy(runtime, person), outcome, said });
  return { outcome, said };
}

/** @throws Failure `invalid_request` for an unknown time zone */
function checkTimeZone(name: string | null | undefined): void {
  if (name != null && !isTimeZone(name))
    throw invalid("time_zone", "must be a time zone such as Europe/Berlin");
}

/** @throws Failure `invalid_request` for an address that nothing may be sent to */
async function checkTarget(
  { dialGuard }: Pick<ChannelsRuntime, "dialGuard">,
  { settings }: ChannelSettings,
): Promise<void> {
  if ("url" in settings && (await isOutOfReach(dialGuard, new URL(settings.url))))
    throw invalid("settings.url", OUT_OF_REACH);
}

/** @param known current settings; null for a new channel, or when they can't be decrypted */
function settingsOf(
  kind: ChannelKind,
  given: Readonly<Record<string, unknown>>,
  known: ChannelSettings | null,
): ChannelSettings {
  const before: Readonly<Record<string, unknown>> = known?.settings ?? {};
  const whole = { ...before, ...given };
  const parse = <T extends z.ZodType>(schema: T): z.output<T> => {
    const parsed = schema.safeParse(whole);
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => {
        const [name] = issue.path;
        return { ...issue, path: [name === undefined ? "settings" : `settings.${String(name)}`] };
      });
      throw notValid({ issues }, NOT_A_CHANNEL);
    }
    return parsed.data;
  };
  switch (kind) {
    case "slack_app": {
      const { app_token: appToken, ...settings } = parse(channelSettings.slack_app);
      return { kind, settings: { ...settings, ...(appToken != null && { app_token: appToken }) } };
    }
    case "slack_webhook":
    case "teams":
      return { kind, settings: parse(channelSettings[kind]) };
    case "email":
      return { kind, settings: parse(channelSettings.email) };
    case "webhook": {
      const { url, secret = newWebhookSecret() } = parse(channelSettings.webhook);
      return { kind, settings: { url, secret } };
    }
  }
}

/** Whether a Slack app now sends to another channel, or with another token, maybe of another workspace. */
function isElsewhere(before: ChannelSettings | null, next: ChannelSettings): boolean {
  if (next.kind !== "slack_app") return false;
  if (before?.kind !== "slack_app") return true;
  const { token, channel } = before.settings;
  return token !== next.settings.token || channel !== next.settings.channel;
}

function changeBy({ clock }: ChannelsRuntime, { id, name, email }: Person) {
  return { person: { id, name, email }, nowMs: clock.nowMs() };
}

function channelView(
  { clock, channelSeal }: Pick<ChannelsRuntime, "clock" | "channelSeal">,
  row: ListedChannel,
): Channel {
  const nowMs = clock.nowMs();
  const { failingSince } = row;
  const opened = openSettings(channelSeal, row);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    settings: row.shown,
    time_zone: row.timeZone,
    created_at: row.createdAt.toISOString(),
    state: opened === null ? "dead" : stateOf(row, nowMs),
    failing_since: isoOrNull(failingSince?.getTime() ?? null),
    said: opened === null ? UNREADABLE : row.said,
    tried_at: isoOrNull(row.triedAt?.getTime() ?? null),
    has_app_token: opened?.kind === "slack_app" && opened.settings.app_token !== undefined,
    missed: row.missed,
    waiting: row.waiting,
    socket: row.socket && {
      connected: row.socket.isConnected,
      said: row.socket.said,
      at: iso(row.socket.atMs),
    },
  };
}

function stateOf({ triedAt, failingSince }: ListedChannel, nowMs: number): Channel["state"] {
  if (triedAt === null) return "untested";
  if (failingSince === null) return "working";
  return nowMs - failingSince.getTime() >= DEAD_MS ? "dead" : "failing";
}
