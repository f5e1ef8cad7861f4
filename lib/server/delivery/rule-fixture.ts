import { randomUUID } from "node:crypto";
import type { Rule } from "@/lib/domain/delivery/rule";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import type { Orm } from "@/lib/server/store/database";
import { channels, rules } from "@/lib/server/store/schema/delivery";
import { people } from "@/lib/server/store/schema/people";

/**
 * A person, their channel, and a rule that sends every event to it.
 * @param given.atMs creation time, epoch milliseconds
 * @param given.sealed the channel's encrypted settings
 * @param given.rule makes the rule narrower
 * @returns the person's id
 */
export async function addRuleForAll(
  orm: Orm,
  {
    atMs,
    sealed,
    channel: about = { kind: "webhook", name: "Hook" },
    rule = {},
  }: {
    atMs: number;
    sealed: string;
    channel?: Pick<typeof channels.$inferInsert, "kind" | "name">;
    rule?: Partial<Rule>;
  },
): Promise<string> {
  const at = new Date(atMs);
  const [person] = await orm
    .insert(people)
    .values({ name: "Ada", email: `${randomUUID()}@example.com`, createdAt: at })
    .returning();
  const createdById = person?.id ?? "";
  const [channel] = await orm
    .insert(channels)
    .values({ ...about, shown: {}, sealed, createdById, createdAt: at })
    .returning();
  await orm.insert(rules).values({
    name: "Everything",
    rule: { ...EVERYTHING, ...rule },
    channelIds: [channel?.id ?? ""],
    since: at,
    createdAt: at,
  });
  return createdById;
}
