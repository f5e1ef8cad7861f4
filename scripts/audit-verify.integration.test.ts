import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { appendAudit } from "@/lib/server/store/audit";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs the command as npm does. */
function verify(): Promise<{ code: number | null; lines: string[] }> {
  const env = { ...process.env, DATABASE_URL: test.database.connectionString };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", "tsx", "scripts/audit-verify.ts"],
      { cwd: root, env },
      (_, stdout) => resolve({ code: child.exitCode, lines: stdout.trim().split("\n") }),
    );
  });
}

const event = {
  kind: "file-deletion",
  event: "delete.asked",
  person: null,
  requestId: null,
  detail: {},
};

it("says of each company whether its log is whole, and fails when one is not", async () => {
  expect(await verify()).toEqual({ code: 0, lines: ["nothing was logged yet"] });
  for (const [at, company] of ["northgate", "harbour", "northgate"].entries()) {
    await test.database.orm.transaction((tx) =>
      appendAudit(tx, company, 0, [{ ...event, actionId: `a/${at}` }]),
    );
  }
  expect(await verify()).toEqual({
    code: 0,
    lines: ["harbour: 1 row, whole", "northgate: 2 rows, whole"],
  });
  await test.asOwner("alter table audit_log disable trigger user");
  await test.asOwner(
    `update audit_log set detail = '{"a": 1}' where company = 'northgate' and seq = 2`,
  );
  expect(await verify()).toEqual({
    code: 1,
    lines: ["harbour: 1 row, whole", "northgate: row 2 is not what was written"],
  });
});
