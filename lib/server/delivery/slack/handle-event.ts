import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Message } from "@/lib/domain/delivery/message";
import { ownLink } from "@/lib/domain/delivery/own-link";
import type { ChannelSeal } from "@/lib/server/delivery/channel-settings";
import { plannedRule } from "@/lib/server/delivery/destinations";
import { genericCard } from "@/lib/server/http/preview/preview-card";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { readReferenceChannels } from "@/lib/server/store/delivery/outbox";
import { readRules } from "@/lib/server/store/delivery/rules";
import type { BlockActions, LinkShared, SlackEvent } from "./envelope";
import { readSlackApps, type AppChannel } from "./slack-apps";
import { ON_IT, slackAnswerTo, slackCard, slackUnfurl } from "./slack-blocks";
import { slackAnswer, type CallSlack } from "./slack-call";
import { slackSent } from "./send-to-slack";
import { createUnfoldLimit } from "./unfold-limit";
import { createUnfold, type UnfoldParts } from "./unfold";

/** A press of the button in a message of ours. Ids are Slack's, but for those of our channels and the message. */
export type SlackPress = {
  user: { teamId: string; teamName: string; userId: string; userName: string };
  messageId: string;
  /** Ids of our channels that send to where it was pressed. */
  channelIds: readonly string[];
};

/** What only the person who pressed is told; null: nothing. @property link where to go on */
export type SlackReply = { text: string; link: { url: string; label: string } | null } | null;

export type HandleParts = UnfoldParts & {
  seal: ChannelSeal;
  call: CallSlack;
  clock: Pick<Clock, "nowMs" | "monotonicMs">;
  log: Log;
  /** Acts as the person who linked their Slack account; rejects only for faults of ours. */
  press: (press: SlackPress) => Promise<SlackReply>;
};

/** Slack's id of a channel. Names are in lower case. */
const SLACK_ID = /^[CDG][A-Z0-9]+$/;
/** Links of one message that are unfolded; further ones stay as they are. */
const MAX_LINKS = 5;
/** Bot tokens whose workspace is remembered. */
const MAX_BOTS = 200;

const Bot = z.object({ team_id: z.string(), user_id: z.string() });
type Bot = z.infer<typeof Bot>;

/** Handles what arrives over the connection of a Slack app. @returns a function of the app-level token and the event */
export function createHandleEvent(
  parts: HandleParts,
): (appToken: string, event: SlackEvent) => Promise<void> {
  const { orm, seal, call } = parts;
  const bots = new LRUCache<string, { bot: Promise<Bot | null>; untilMs: number }>({
    max: MAX_BOTS,
  });
  const mayUnfold = createUnfoldLimit(parts.clock);

  /** The workspace and user of a bot token, asked for once; null: Slack didn't say, and is asked again in a minute. */
  async function botOf(token: string): Promise<Bot | null> {
    const known = bots.get(token);
    if (known !== undefined && parts.clock.monotonicMs() < known.untilMs) return known.bot;
    const asked = { bot: askBot(token), untilMs: Infinity };
    bots.set(token, asked);
    const bot = await asked.bot;
    if (bot === null) asked.untilMs = parts.clock.monotonicMs() + MINUTE_MS;
    return bot;
  }

  async function askBot(token: string): Promise<Bot | null> {
    const answer = await call("auth.test", token, {});
    return "failed" in answer ? null : (Bot.safeParse(slackAnswer(answer)).data ?? null);
  }

  /** The app's channels in a workspace, and the bots that write to them. */
  async function channelsIn(appToken: string, team: string) {
    const all = (await readSlackApps(orm, seal)).get(appToken) ?? [];
    const channels: AppChannel[] = [];
    const users = new Set<string>();
    const asked = await Promise.all(all.map(({ token }) => botOf(token)));
    for (const [index, channel] of all.entries()) {
      const bot = asked[index];
      if (bot?.team_id !== team) continue;
      channels.push(channel);
      users.add(bot.user_id);
    }
    return { channels, users };
  }

  /** Those that send to a channel of Slack now: entered by its id, or by its name and seen in Slack's answers. */
  async function sendingTo(channels: readonly AppChannel[], slackChannel: string) {
    const named = channels.filter(({ channel }) => !SLACK_ID.test(channel));
    const found = await readReferenceChannels(
      orm,
      named.map(({ row }) => row.id),
      slackChannel,
    );
    return channels.filter(({ row, channel }) => channel === slackChannel || found.has(row.id));
  }

  async function unfold(appToken: string, { team_id: team, event }: LinkShared): Promise<void> {
    const urls = [...new Set(event.links.map(({ url }) => url))];
    const links = urls
      .map((url) => ({ url, link: ownLink(url, parts.appUrl) }))
      .filter(({ link }) => link.leadsTo === "company" || link.leadsTo === "other")
      .slice(0, MAX_LINKS);
    if (links.length === 0 || !mayUnfold({ team, user: event.user, channel: event.channel }))
      return;
    const { channels, users } = await channelsIn(appToken, team);
    const [any] = channels;
    // Our own messages have their links in words.
    if (any === undefined || users.has(event.user)) return;
    const senders = await sendingTo(channels, event.channel);
    const rules = await readRules(orm);
    const all = senders.map(({ row }) => ({
      ...row,
      rules: rules
        .filter(({ channelIds }) => channelIds.includes(row.id))
        .map((rule) => plannedRule(rule, null)),
    }));
    const unfoldOne = createUnfold(parts, parts.clock.nowMs());
    const unfurls: Record<string, object> = {};
    for (const { url, link } of links) {
      let message: Message | null = null;
      for (const to of all) message ??= await unfoldOne(to, link);
      unfurls[url] = message === null ? slackCard(genericCard(parts.appUrl)) : slackUnfurl(message);
    }
    const { unfurl_id: id, source, channel, message_ts: ts } = event;
    const at =
      id !== undefined && source !== undefined ? { unfurl_id: id, source } : { channel, ts };
    note(await call("chat.unfurl", (senders[0] ?? any).token, { ...at, unfurls }), "chat.unfurl");
  }

  async function press(appToken: string, given: BlockActions): Promise<void> {
    const { user, team, channel, container, actions } = given;
    const action = actions.find(({ action_id: id }) => id === ON_IT);
    if (action?.value === undefined) return;
    const { channels } = await channelsIn(appToken, team?.id ?? user.team_id);
    const senders = await sendingTo(channels, channel.id);
    const [sender = channels[0]] = senders;
    if (sender === undefined) return;
    const reply = await parts.press({
      user: {
        teamId: user.team_id,
        teamName: team?.id === user.team_id ? team.domain : "",
        userId: user.id,
        userName: user.name,
      },
      messageId: action.value,
      channelIds: senders.map(({ row }) => row.id),
    });
    if (reply === null) return;
    const { thread_ts: thread } = container;
    const answered = await call("chat.postEphemeral", sender.token, {
      channel: channel.id,
      user: user.id,
      ...(thread !== undefined && { thread_ts: thread }),
      ...slackAnswerTo(reply.text, reply.link),
    });
    note(answered, "chat.postEphemeral");
  }

  function note(answer: Awaited<ReturnType<CallSlack>>, method: string): void {
    const { outcome, said } = slackSent(answer);
    if (outcome !== "accepted") parts.log.warn({ method, said }, "Slack refused an answer");
  }

  return (appToken, event) =>
    event.kind === "links" ? unfold(appToken, event.shared) : press(appToken, event.press);
}
