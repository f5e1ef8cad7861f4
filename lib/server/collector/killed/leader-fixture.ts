import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as realTurn } from "node:timers/promises";
import type { Look, Plan } from "@/lib/server/collector/killed.fixture";
import type { TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";

/** A collecting process that a test kills with SIGKILL at a step of a check, and starts again. */
export function createKilledLeader() {
  let leader: { child: ChildProcess; died: Promise<string> } | null = null;

  async function launch(db: TestDatabase, plan: Omit<Plan, "connectionString">) {
    await untilNoneLeads(db);
    const { connectionString } = db.database;
    const program = testProgram("lib/server/collector/killed.fixture.ts");
    const child = fork(program, [JSON.stringify({ ...plan, connectionString } satisfies Plan)], {
      execArgv: [],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    const printed = child.stdout === null ? Promise.resolve("") : text(child.stdout);
    return { child, died: once(child, "close").then(() => printed) };
  }

  return {
    isRunning: () => leader !== null,
    /** Triggers one check. @returns the step at which the leader died; null: the check completed */
    async look(
      db: TestDatabase,
      plan: Omit<Plan, "connectionString">,
      given: Look,
    ): Promise<string | null> {
      leader ??= await launch(db, plan);
      const { child, died } = leader;
      const looked = once(child, "message").then(() => null);
      child.send(given);
      const diedAt = await Promise.race([looked, died]);
      if (diedAt === "") throw new Error("the leader died by itself");
      if (diedAt !== null) leader = null;
      return diedAt;
    },
    async kill(): Promise<void> {
      leader?.child.kill("SIGKILL");
      await leader?.died;
      leader = null;
    },
  };
}

/** PostgreSQL releases leadership once it notices that the holder is gone. */
async function untilNoneLeads({ database }: TestDatabase): Promise<void> {
  const held = `select from pg_stat_activity
    where datname = current_database() and application_name = 'plumbline collector'`;
  while ((await database.pool.query(held)).rows.length > 0) await realTurn(1);
}
