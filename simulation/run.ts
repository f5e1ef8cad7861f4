import { openDatabase } from "@/lib/server/store/connect";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import type { Database } from "@/lib/server/store/database";
import { CONTROL, type Server } from "./database";
import { coverageOf } from "./coverage";
import { digestOf } from "./digest";
import { silentLog } from "./instance";
import { createCheck } from "./invariants/check";
import { watchRecord } from "./invariants/observations";
import { createPeople, type People } from "./people";
import type { Plan } from "./plan";
import { createRandom } from "./random";
import { simulate, type Outcome, type Parts } from "./simulation";

/**
 * Plays a plan, with people who act and all invariants.
 * @param check replaces the invariants
 */
export async function run(
  server: Server,
  plan: Plan,
  check: Parts["check"] = createCheck(),
): Promise<Outcome> {
  let database: Database | undefined;
  let people: People | undefined;
  try {
    return await simulate(server, plan, {
      check,
      async prepare(scene, connectionString) {
        const url = new URL(connectionString);
        url.searchParams.set("application_name", CONTROL);
        database = await openDatabase(url.href, { log: silentLog(), audit: TEST_AUDIT, max: 1 });
        await watchRecord(scene.control);
        people = createPeople(database, createRandom(plan.seed).of("people"));
        await people.populate(scene);
      },
      act: async (scene) => people?.act(scene),
      digest: digestOf,
      coverage: coverageOf,
    });
  } finally {
    await database?.close();
  }
}
