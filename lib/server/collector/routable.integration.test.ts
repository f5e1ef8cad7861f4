import { expect, onTestFinished, test } from "vitest";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import { watchStatements } from "@/lib/server/store/statements/statements-fixture";
import { COMPANY, startChecks } from "./deadlines/check-fixture";

const START_MS = Date.parse("2026-03-02T00:00:00Z");
/** As a condition, or among the columns that are inserted. */
const NAMES_COMPANY = /\bcompany"? = (?:any )?\(?\$\d|insert into "?\w+"? \([^)]*\bcompany\b/;

async function companyTables({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'company'`,
  );
  return rows.map(({ name }) => name);
}

/** The statements that read or write a company's rows without naming the company. */
function unrouted(statements: ReadonlySet<string>, tables: readonly string[]): string[] {
  return [...statements].filter(
    (text) =>
      tables.some((name) => new RegExp(`\\b${name}\\b`).test(text)) && !NAMES_COMPANY.test(text),
  );
}

test("each statement of a check names its company, so that it can be routed by it", async () => {
  const checks = await startChecks(START_MS, 3);
  onTestFinished(() => checks.stop());
  const { database } = checks;
  const tables = await companyTables(database);
  const [id = ""] = checks.ids;
  await checks.change({
    kind: "make",
    values: {
      partnerName: "Procore",
      endpointId: id,
      endpointKey: id,
      rule: rule({}),
      targetPercent: null,
      note: null,
    },
    subject: id,
  });
  await database.pool.query(
    `insert into expectations (company, reason, from_at, until_at, made_by_id, made_by_name, made_at)
     values ($1, 'works', $2, $3, $4, 'Ana', $2)`,
    [COMPANY, iso(START_MS), iso(START_MS + HOUR_MS), checks.person.id],
  );
  const sent = watchStatements(database);
  // Nothing changed, a row changed, trouble opens an incident and ends, and a promise is closed.
  for (let minutes = 0; minutes <= 12 * 60; minutes += 20) {
    const atMs = START_MS + minutes * MINUTE_MS;
    if (minutes === 60) checks.set(id, { last_sync_status: "failed" });
    if (minutes === 9 * 60)
      checks.set(id, { last_sync_status: "completed", last_updated_at: iso(atMs - MINUTE_MS) });
    await checks.checkAt(atMs);
  }
  await checks.restart();
  const written = ["incidents", "incident_events", "deadline_days", "runs", "landings"];
  for (const name of written) {
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${name} where company = $1`,
      [COMPANY],
    );
    expect([name, (rows[0]?.n ?? 0) > 0]).toEqual([name, true]);
  }
  const statements = new Set(sent.map(({ text }) => text));
  expect(statements.size).toBeGreaterThan(15);
  expect(unrouted(statements, tables)).toEqual([]);
  expect(unrouted(new Set(["select from runs where endpoint_id = $1"]), tables)).toHaveLength(1);
});
