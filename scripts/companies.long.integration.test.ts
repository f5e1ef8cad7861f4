import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";

const root = fileURLToPath(new URL("..", import.meta.url));

const test = databaseTest();
let dataDir: string;
test.beforeAll(async ({ db }) => {
  dataDir = mkdtempSync(path.join(tmpdir(), "plumbline-companies-"));
  writeFileSync(
    path.join(dataDir, "connections.json"),
    JSON.stringify([
      {
        slug: "harbour",
        name: "Harbour",
        base_url: "http://127.0.0.1:9/api/v3",
        client_id: "c",
        client_secret: "s",
      },
    ]),
  );
  await db.database.pool.query(
    `insert into companies (slug, name, left_at) values
       ('harbour', 'Harbour', null), ('northgate', 'Northgate', '2026-03-02T20:33:00Z'),
       ('orchard', 'Orchard', null);
     insert into company_state (company, version, last_attempt_at, rhythm_seconds, next_refresh_at,
         api_clock_offset_ms, total_pages, budget)
       select slug, 1, now(), 60, now(), 0, 1, '{"used": 0, "limit": 60}' from companies;
     insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
       select slug, 'e', 'rfis', 'Procore', '{}', 'fresh', now() from companies;
     insert into landings (company, endpoint_id, landed_at, origin)
       select slug, 'e', now() - make_interval(secs => at), 'observed'
       from companies, generate_series(1, 12000) at;
     insert into people (email, name) values ('bo@example.com', 'Bo');
     insert into grants (company, person_id, role) select slug, id, 'viewer' from companies, people;
     insert into displays (settings, created_at, created_by_id, created_by_name, rotated_at, is_secret_used)
       values ('{"companies": ["harbour", "northgate"]}', now(), gen_random_uuid(), 'Ana', now(), false),
              ('{"companies": null}', now(), gen_random_uuid(), 'Ana', now(), false)`,
  );
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
});

type Said = { code: number; out: string; err: string };

/** Runs the command as npm does. @param typed its standard input */
function companies(db: TestDatabase, args: string[], typed = ""): Promise<Said> {
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "test" as const,
    DATA_DIR: dataDir,
    DATABASE_URL: db.database.connectionString,
    AUTH_SECRET: "a secret of the tests only",
    CONNECTIONS_FILE: path.join(dataDir, "connections.json"),
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", "tsx", "scripts/companies.ts", ...args],
      { cwd: root, env },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
    child.stdin?.end(typed);
  });
}

/** Number of rows of a company in each table. */
async function rowsOf(db: TestDatabase, company: string): Promise<Record<string, number>> {
  const { rows } = await db.database.pool.query<{ name: string; rows: string }>(
    `select c.table_name::text as name,
       (xpath('/row/n/text()', query_to_xml(format(
         'select count(*) as n from %I where company = %L', c.table_name, $1::text), false, true, '')
       ))[1]::text as rows
     from information_schema.columns c
     where c.table_schema = 'public' and c.column_name = 'company'`,
    [company],
  );
  return Object.fromEntries(
    rows.flatMap(({ name, rows: count }) => (count === "0" ? [] : [[name, Number(count)]])),
  );
}

// Each run compiles the command again.
test(
  "deletes the record of a disconnected company once its name is typed, but never of a connected one",
  {
    timeout: 180_000,
  },
  async ({ db }) => {
    const before = await rowsOf(db, "harbour");
    const [list, connected, lately, unknown, nameless, untyped] = await Promise.all([
      companies(db, ["list"]),
      companies(db, ["forget", "harbour", "--yes"]),
      companies(db, ["forget", "orchard", "--yes"]),
      companies(db, ["forget", "nowhere", "--yes"]),
      companies(db, ["forget"]),
      companies(db, ["forget", "northgate"], "northgat\n"),
    ]);
    expect(list).toEqual({
      code: 0,
      out: "harbour: Harbour, connected\nnorthgate: Northgate, left 2026-03-02 20:33 UTC\norchard: Orchard, read within the last hour, but not in this configuration\n",
      err: "",
    });
    expect(connected).toMatchObject({
      code: 1,
      err: expect.stringContaining("still in the connections"),
    });
    expect(lately).toMatchObject({ code: 1, err: expect.stringContaining("within the last hour") });
    expect(unknown).toEqual({ code: 1, out: "", err: "There's no record of nowhere.\n" });
    expect(nameless.err).toContain("Usage: npm run companies");
    expect(untyped).toMatchObject({ code: 1, err: "Nothing was deleted.\n" });
    expect(await rowsOf(db, "northgate")).toEqual(before);

    expect(await companies(db, ["forget", "northgate"], "northgate\n")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/northgate: forgotten, 12,004 rows deleted\n$/),
    });
    expect(await rowsOf(db, "northgate")).toEqual({
      audit_log: 1,
      audit_actions: 1,
      audit_heads: 1,
    });
    expect(await rowsOf(db, "harbour")).toEqual(before);
    const { rows } = await db.database.pool.query(
      "select kind, event, detail from audit_log where company = 'northgate'",
    );
    expect(rows).toEqual([
      { kind: "company", event: "forget.asked", detail: { subject: "Northgate" } },
    ]);
    const shown = await db.database.pool.query<{ companies: unknown }>(
      "select settings -> 'companies' as companies from displays order by 1",
    );
    expect(shown.rows.map(({ companies: of }) => of)).toEqual(
      expect.arrayContaining([["harbour"], null]),
    );
    expect((await companies(db, ["list"])).out).not.toContain("northgate");
  },
);
