import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import type { Orm } from "@/lib/server/store/database";
import { channels, rules } from "@/lib/server/store/schema/delivery";
import { people } from "@/lib/server/store/schema/people";

/**
 * A person, their channel, and a rule that sends every event to it.
 * @param atMs creation time, epoch milliseconds
 * @param sealed the channel's encrypted settings
 * @returns the person's id
 */
export async function addRuleForAll(
  orm: Orm,
  { atMs, sealed }: { atMs: number; sealed: string },
): Promise<string> {
  const at = new Date(atMs);
  const [person] = await orm
    .insert(people)
    .values({ name: "Ada", email: "ada@example.com", createdAt: at })
    .returning();
  const createdById = person?.id ?? "";
  const [channel] = await orm
    .insert(channels)
    .values({ kind: "webhook", name: "Hook", shown: {}, sealed, createdById, createdAt: at })
    .returning();
  await orm.insert(rules).values({
    name: "Everything",
    rule: EVERYTHING,
    channelIds: [channel?.id ?? ""],
    since: at,
    createdAt: at,
  });
  return createdById;
}
