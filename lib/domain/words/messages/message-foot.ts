import type { MessageContent } from "@/lib/domain/delivery/message-content";
import { plainName } from "@/lib/domain/text/plain-name";
import { listedUpTo } from "./listed-up-to";

const MAX_RULES = 3;

/**
 * Which rule sent a message to a destination, and where to change it.
 * @param rules those that cover what the message is about; none: the message ends what one of them began
 * @param to.name the channel's; of a person: theirs
 * @param to.isOwn they are a person's own alerts
 * @param appUrl of this installation, without a trailing slash
 */
export function ruleFoot(
  rules: readonly { name: string }[],
  to: { name: string; isOwn: boolean },
  appUrl: string,
): MessageContent["foot"] {
  if (to.isOwn)
    return [
      {
        text: rules.length === 0 ? "Your alerts no longer cover this." : "Sent by your alerts.",
        link: { label: "Change your alerts", url: `${appUrl}/settings/alerts` },
      },
    ];
  const url = `${appUrl}/settings/rules`;
  const channel = plainName(to.name);
  if (rules.length === 0)
    return [
      {
        text: `Sent to ${channel} because it got the opening; no rule sends more.`,
        link: { label: "See the rules", url },
      },
    ];
  const all = listedUpTo(
    MAX_RULES,
    rules.map(({ name }) => `“${plainName(name)}”`),
  );
  const isOne = rules.length === 1;
  return [
    {
      text: `Sent to ${channel} by the ${isOne ? "rule" : "rules"} ${all}.`,
      link: { label: isOne ? "Change the rule" : "Change the rules", url },
    },
  ];
}
