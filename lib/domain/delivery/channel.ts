export const CHANNEL_KINDS = ["slack_app", "slack_webhook", "teams", "email", "webhook"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Settings of a channel, including its secrets, by kind. */
export type ChannelSettings =
  | { kind: "slack_app"; settings: { token: string; channel: string; app_token?: string } }
  | { kind: "slack_webhook" | "teams"; settings: { url: string } }
  | { kind: "email"; settings: { to: readonly string[] } }
  | { kind: "webhook"; settings: { url: string; secret: string } };
