import { perDay } from "@/lib/domain/alarm-load/quieter";
import { idMember, type Connected } from "@/lib/server/operations/connections/external-id";
import type { SentAbout } from "@/lib/server/store/delivery/sent-load";

const MAX_NOISIEST = 3;

/** The endpoints with most messages, as the JSON has them. @param days length of the period */
export function noisiest(sent: readonly SentAbout[], days: number, { connections }: Connected) {
  const endpoints = new Map<string, { about: SentAbout; messages: number }>();
  for (const about of sent) {
    if (about.company === null || about.endpoint === null) continue;
    const key = `${about.company} ${about.endpoint.id}`;
    const messages = (endpoints.get(key)?.messages ?? 0) + about.messages;
    endpoints.set(key, { about, messages });
  }
  return [...endpoints.values()]
    .toSorted((a, b) => b.messages - a.messages)
    .slice(0, MAX_NOISIEST)
    .flatMap(({ about: { company, endpoint, partnerName }, messages }) =>
      company === null || endpoint === null
        ? []
        : {
            company,
            ...idMember(connections, company),
            partner_name: partnerName ?? "",
            endpoint_id: endpoint.id,
            endpoint_key: endpoint.key,
            messages,
            per_day: perDay(messages, days),
          },
    );
}

/** The number of messages, and how many a day, as the JSON has them. */
export const rateOf = (messages: number, days: number) => ({
  messages,
  per_day: perDay(messages, days),
});
