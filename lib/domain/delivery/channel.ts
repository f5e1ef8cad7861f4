export const CHANNEL_KINDS = ["slack_app", "slack_webhook", "teams", "email", "webhook"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
