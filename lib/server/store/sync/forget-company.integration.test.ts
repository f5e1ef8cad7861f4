import { asc } from "drizzle-orm";
import { expect } from "vitest";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { DAY_MS } from "@/lib/domain/time/units";
import { appTest } from "@/lib/server/gate/app-fixture";
import { rules } from "@/lib/server/store/schema/delivery";
import { apiTokens } from "@/lib/server/store/schema/tokens";
import { forgetCompany } from "./forget-company";

const test = appTest();

test("takes a company out of tokens and rules, so that a later one of the same slug isn't in them", async ({
  app,
}) => {
  const { orm } = app.database;
  const madeBy = await app.addPerson("ada@example.com", "administrator");
  const createdAt = new Date(app.clock.nowMs());
  const lists = [["northgate"], ["northgate", "harbour"], ["harbour"]];
  for (const [at, companies] of [...lists, null].entries())
    await orm.insert(apiTokens).values({
      tokenHash: `hash ${at}`,
      hint: "0000",
      name: `${at}`,
      scope: "read",
      companies,
      personId: companies === null ? madeBy : null,
      madeBy,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + DAY_MS),
    });
  for (const [at, companies] of [...lists, "all" as const].entries())
    await orm.insert(rules).values({
      name: `${at}`,
      rule: { ...EVERYTHING, companies },
      channelIds: [],
      since: createdAt,
      createdAt,
    });

  await forgetCompany(app.database, { slug: "northgate", name: "Northgate" }, app.clock.nowMs());

  const left = [[], ["harbour"], ["harbour"]];
  const tokens = await orm.select().from(apiTokens).orderBy(asc(apiTokens.name));
  expect(tokens.map(({ companies }) => companies)).toEqual([...left, null]);
  const kept = await orm.select().from(rules).orderBy(asc(rules.name));
  expect(kept.map(({ rule }) => rule.companies)).toEqual([...left, "all"]);
});
