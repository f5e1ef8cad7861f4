import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { COMPANY, startChecks, type Checks } from "@/lib/server/collector/deadlines/check-fixture";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { incidentCare } from "@/lib/server/store/schema/incidents";

const START_MS = Date.parse("2026-03-02T00:00:00Z");
const after = (hours: number) => new Date(START_MS + hours * HOUR_MS);

let checks: Checks;
beforeEach(async () => {
  checks = await startChecks(START_MS, 1);
});
afterEach(() => checks.stop());

test("a check in which nothing else changes makes a replaced stand-in the stand-in again", async () => {
  const { orm } = checks.database;
  const { id } = checks.person;
  const later = { id, from: after(0).toISOString(), until: after(9).toISOString() };
  await orm.insert(incidentCare).values({
    company: COMPANY,
    standInId: id,
    standInFrom: after(1),
    standInUntil: after(2),
    laterStandIns: [later],
  });
  const standIn = async () => {
    const [care] = await orm.select().from(incidentCare).where(eq(incidentCare.company, COMPANY));
    return [care?.standInFrom, care?.standInUntil, care?.laterStandIns];
  };
  await checks.checkAt(START_MS + HOUR_MS);
  await checks.checkAt(START_MS + 2 * HOUR_MS - MINUTE_MS);
  expect(await standIn()).toEqual([after(1), after(2), [later]]);
  await checks.checkAt(START_MS + 2 * HOUR_MS);
  expect(await standIn()).toEqual([after(0), after(9), []]);
});
