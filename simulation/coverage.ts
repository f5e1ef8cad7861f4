import type { Scene } from "./simulation";

/** What a run can meet, and how much of it there is in its database. */
const COUNTED: Readonly<Record<string, string>> = {
  runs: "select count(*) from runs",
  incidents: "select count(*) from incidents",
  "fleet incidents": "select count(*) from fleet_incidents",
  "promised days": "select count(*) from deadline_days",
  "quiet times": "select count(*) from expectations",
  "of them weekly": "select count(*) from expectations where weekly is not null",
  deletions: "select count(*) from deletions",
  "mirrored files": "select count(*) from schedule_files",
  "of them gone": "select count(*) from schedule_files where gone_at is not null",
  messages: "select count(*) from deliveries",
  "closed days": "select count(*) from report_days",
  "learned weeks": "select count(*) from learned_weeks",
  "of them in force": "select count(*) from learned_weeks where until_at is null",
};

/** What a run has met, by name: one that never met a thing has shown nothing about it. */
export async function coverageOf({ control }: Scene): Promise<Readonly<Record<string, number>>> {
  const met: Record<string, number> = {};
  for (const [name, statement] of Object.entries(COUNTED)) {
    const [found] = await control.rows<{ count: string }>(statement);
    met[name] = Number(found?.count);
  }
  return met;
}
