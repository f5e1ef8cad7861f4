import { openSettings, type ChannelSeal } from "@/lib/server/delivery/channel-settings";
import type { Orm } from "@/lib/server/store/database";
import { readChannels, type ChannelRow } from "@/lib/server/store/delivery/channels";

/** A channel of a Slack app with an app-level token. */
export type AppChannel = {
  row: ChannelRow;
  /** The bot token. */
  token: string;
  /** As an administrator entered it: Slack's id, or its name. */
  channel: string;
};

/** Channels by app-level token: those with the same one share a connection. */
export async function readSlackApps(
  orm: Orm,
  seal: ChannelSeal,
): Promise<ReadonlyMap<string, readonly AppChannel[]>> {
  const apps = new Map<string, AppChannel[]>();
  for (const row of await readChannels(orm)) {
    const opened = row.kind === "slack_app" ? openSettings(seal, row) : null;
    if (opened?.kind !== "slack_app" || opened.settings.app_token === undefined) continue;
    const { app_token: appToken, token, channel } = opened.settings;
    apps.set(appToken, [...(apps.get(appToken) ?? []), { row, token, channel }]);
  }
  return apps;
}
