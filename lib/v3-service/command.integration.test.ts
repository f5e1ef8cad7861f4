import { describe, expect } from "vitest";
import { CommandError, parseCommand, runCommand, USAGE } from "./command";
import {
  bearer,
  serviceTest,
  TEST_KEY_SEAL,
  TWO_COMPANIES,
  type TestService,
} from "./service-fixture";

const test = serviceTest({ seed: TWO_COMPANIES });

const run = (v3: TestService, ...words: string[]) =>
  runCommand(v3.database, parseCommand(words), { keySeal: TEST_KEY_SEAL, nowMs: v3.clock.ms });

describe("npm run v3", () => {
  test("creates a working client, prints its secret once, lists it and revokes it", async ({
    v3,
  }) => {
    const lines = await run(
      v3,
      "clients",
      "create",
      "--company",
      "43",
      "--name",
      "wall",
      "--scopes",
      "read:sync_status",
    );
    const [, clientId = ""] = /^client_id: (\S+)$/.exec(lines[0] ?? "") ?? [];
    const [, secret = ""] = /^client_secret: (\S{43})$/.exec(lines[1] ?? "") ?? [];
    const token = await v3.token(clientId, secret);
    expect((await v3.send("/sync_status", bearer(token))).status).toBe(200);
    expect((await v3.send("/schedule_files", bearer(token))).status).toBe(403);

    const listed = (await run(v3, "clients", "list")).join("\n");
    expect(listed).toMatch(
      new RegExp(`^${clientId}\tcompany 43\twall\tread:sync_status\tin use$`, "m"),
    );
    expect(listed).not.toContain(secret);

    expect(await run(v3, "clients", "revoke", clientId)).toEqual([`revoked: ${clientId}`]);
    expect((await run(v3, "clients", "list")).join("\n")).toMatch(
      new RegExp(`^${clientId}\t.*\trevoked 2026-`, "m"),
    );
    await expect(v3.token(clientId, secret)).rejects.toThrow("invalid_client");
    await expect(run(v3, "clients", "revoke", clientId)).rejects.toThrow(CommandError);
  });

  test("rotates the signing key", async ({ v3 }) => {
    const [line = ""] = await run(v3, "keys", "rotate");
    const [, kid = ""] = /^new key: ([0-9a-f]{16})$/.exec(line) ?? [];
    const { rows } = await v3.database.pool.query(
      "select kid from v3.signing_keys order by created_at desc",
    );
    expect(rows).toEqual([{ kid }, { kid: expect.any(String) }]);
  });

  test("grants every scope if none is given", async ({ v3 }) => {
    await run(v3, "clients", "create", "--company", "42", "--name", "all of them");
    expect((await run(v3, "clients", "list")).join("\n")).toContain(
      "all of them\tread:schedule_files write:schedule_files read:sync_status",
    );
  });

  test.for([
    ["a company that doesn't exist", ["clients", "create", "--company", "7", "--name", "x"], /7/],
    [
      "a company that isn't a number",
      ["clients", "create", "--company", "x", "--name", "x"],
      /--company/,
    ],
    ["no name", ["clients", "create", "--company", "42"], /--name/],
    [
      "an unknown scope",
      ["clients", "create", "--company", "42", "--name", "x", "--scopes", "admin"],
      /admin/,
    ],
    ["an unknown option", ["clients", "list", "--all"], /usage/],
    ["an unknown verb", ["clients", "drop"], /usage/],
    ["an unknown verb for keys", ["keys", "list"], /usage/],
    ["an argument after the verb for keys", ["keys", "rotate", "first"], /usage/],
    ["too many arguments", ["clients", "revoke", "a", "b"], /usage/],
    ["an empty command", [], /usage/],
  ] as const)("rejects %s with an explanation", async ([, words, expected], { v3 }) => {
    await expect(async () => await run(v3, ...words)).rejects.toThrow(expected);
    expect(USAGE).toContain("clients create");
  });
});
