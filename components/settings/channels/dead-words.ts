import type { ChannelKind } from "@/lib/domain/delivery/channel";
import { count, counted } from "@/lib/domain/words/format";

/** Texts of the banner about dead channels, which is on every page. */

const SERVICE: Readonly<Record<ChannelKind, string>> = {
  slack_app: "Slack",
  slack_webhook: "Slack",
  teams: "Teams",
  email: "Email",
  webhook: "Webhook",
};
const MAX_NAMED = 2;

export const deadWords = {
  /**
   * "Every message to Slack #sync-alerts has failed since 14:02.": whether one came through before isn't known.
   * @param when a time; null: unknown
   */
  one: (kind: ChannelKind, name: string, when: string | null) =>
    `Every message to ${SERVICE[kind]} \u2068${name}\u2069 ${when === null ? "fails" : `has failed since ${when}`}.`,
  /** "3 channels aren’t receiving anything: Ops, Nordics and 1 more." */
  several: (names: readonly string[]) => {
    const more = names.length - MAX_NAMED;
    const named = names
      .slice(0, MAX_NAMED)
      .map((name) => `\u2068${name}\u2069`)
      .join(more > 0 ? ", " : " and ");
    return `${count(names.length)} channels aren’t receiving anything: ${named}${more > 0 ? ` and ${count(more)} more` : ""}.`;
  },
  /** "3 messages are waiting for their next attempt; 2 were given up." Empty for none. */
  undelivered(waiting: number, givenUp: number): string {
    const are = (amount: number) => (amount === 1 ? "is" : "are");
    const were = (amount: number) => (amount === 1 ? "was" : "were");
    if (waiting === 0)
      return givenUp === 0 ? "" : `${counted(givenUp, "message")} ${were(givenUp)} given up.`;
    const lead = `${counted(waiting, "message")} ${are(waiting)} waiting for ${waiting === 1 ? "its" : "their"} next attempt`;
    return givenUp === 0 ? `${lead}.` : `${lead}; ${count(givenUp)} ${were(givenUp)} given up.`;
  },
  link: "See channels",
};
