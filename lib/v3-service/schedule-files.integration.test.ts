import { describe, expect } from "vitest";
import { served } from "@/lib/contracts/v3";
import { addScheduleFiles, type NewScheduleFile } from "./store/writer";
import { bearer, serviceTest, START_MS, TWO_COMPANIES, type TestService } from "./service-fixture";

const test = serviceTest({ seed: TWO_COMPANIES });
let nw: string;
let hb: string;

test.beforeAll(async ({ v3 }) => {
  nw = await v3.token("nw", "north-secret");
  hb = await v3.token("hb", "harbour-secret");
});

const newFile = (companyId: number, id: number, createdAtMs = START_MS): NewScheduleFile => ({
  companyId,
  id,
  name: `Plan ${id}.xer`,
  isBaseline: false,
  customerProject: null,
  createdAtMs,
  fileType: "xer",
  partnerTokenId: null,
});

async function derivedDataOf(v3: TestService, fileId: number): Promise<number> {
  const { rowCount } = await v3.database.pool.query(
    "select 1 from v3.derived_data where file_id = $1",
    [fileId],
  );
  return rowCount ?? 0;
}

/** The removal runs in the background; polls PostgreSQL until it is done. */
async function untilRemoved(v3: TestService, fileId: number): Promise<void> {
  await expect.poll(() => derivedDataOf(v3, fileId), { timeout: 10_000 }).toBe(0);
}

const remove = (v3: TestService, id: number | string, token = nw) =>
  v3.send(`/schedule_files/${id}`, { method: "DELETE", ...bearer(token) });

describe("listing", () => {
  test("returns the company's files, newest first", async ({ v3 }) => {
    const response = await v3.send("/schedule_files", bearer(nw));
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const { data, meta } = served.ScheduleFileList.parse(await response.json());
    expect(data).toEqual([
      {
        id: 9007199254740991,
        name: "Ünïcode “tower”.mpp",
        is_baseline: true,
        company_id: 42,
        customer_project: { id: 5, name: "Tower", source: "procore", customer_project_id: "P-5" },
        created_at: "2026-02-28T12:00:00.000Z",
        file_type: "mpp",
        partner_token_id: 31,
      },
      {
        id: 7,
        name: "Tower rev 3.xer",
        is_baseline: false,
        company_id: 42,
        customer_project: null,
        created_at: "2026-02-27T12:00:00.000Z",
        file_type: "xer",
        partner_token_id: null,
      },
    ]);
    expect(meta).toEqual({ page: 1, per_page: 50, total_count: 2, total_pages: 1 });
  });

  test("orders files of the same instant by descending id, and is empty beyond the end", async ({
    v3,
  }) => {
    await addScheduleFiles(v3.database.orm, [newFile(43, 21), newFile(43, 23), newFile(43, 22)]);
    const page = async (number: number) => {
      const response = await v3.send(`/schedule_files?per_page=2&page=${number}`, bearer(hb));
      const { data, meta } = served.ScheduleFileList.parse(await response.json());
      expect(meta).toEqual({ page: number, per_page: 2, total_count: 4, total_pages: 2 });
      return data.map((file) => file.id);
    };
    expect([await page(1), await page(2), await page(3)]).toEqual([[23, 22], [21, 8], []]);
  });
});

describe("a single file", () => {
  test("is returned by its id, up to 2^53 - 1", async ({ v3 }) => {
    const response = await v3.send("/schedule_files/9007199254740991", bearer(nw));
    expect(served.ScheduleFile.parse(await response.json()).name).toBe("Ünïcode “tower”.mpp");
  });

  test("of another company gets exactly the response of a missing one, for reading and deleting", async ({
    v3,
  }) => {
    const missing = async (id: number | string, method: string) => {
      const response = await v3.send(`/schedule_files/${id}`, { method, ...bearer(nw) });
      const headers = [...response.headers].filter(([name]) => name !== "x-ratelimit-remaining");
      return { status: response.status, headers, body: await response.text() };
    };
    const expected = await missing(999_999, "GET");
    expect(expected.status).toBe(404);
    expect(served.Error.parse(JSON.parse(expected.body)).error).toBe("not_found");
    const ids = [
      8,
      "abc",
      "-1",
      "7.0",
      "007",
      "1e1",
      "%37%00",
      "9007199254740993",
      "9".repeat(400),
    ];
    for (const id of ids) {
      expect(await missing(id, "GET")).toEqual(expected);
      expect(await missing(id, "DELETE")).toEqual(expected);
    }
    expect((await v3.send("/schedule_files/8", bearer(hb))).status).toBe(200);
  });

  test("requires the scope of the operation", async ({ v3 }) => {
    const reading = await v3.token("nw", "north-secret", "read:schedule_files");
    const writing = await v3.token("nw", "north-secret", "write:schedule_files");
    expect((await v3.send("/schedule_files/7", bearer(reading))).status).toBe(200);
    expect((await remove(v3, 7, reading)).status).toBe(403);
    expect((await v3.send("/schedule_files/7", bearer(writing))).status).toBe(403);
    expect((await v3.send("/schedule_files", bearer(writing))).status).toBe(403);
  });
});

describe("deletion", () => {
  test("removes the file, and its derived data shortly after", async ({ v3 }) => {
    await addScheduleFiles(v3.database.orm, [newFile(42, 100), newFile(42, 101)]);
    expect(await derivedDataOf(v3, 100)).toBe(1);
    const response = await remove(v3, 100);
    expect(response.status).toBe(200);
    expect(served.DeleteResult.parse(await response.json())).toEqual({ deleted: true, id: 100 });
    expect((await v3.send("/schedule_files/100", bearer(nw))).status).toBe(404);
    expect((await remove(v3, 100)).status).toBe(404);
    await untilRemoved(v3, 100);
    expect(await derivedDataOf(v3, 101)).toBe(1);
  });

  test("succeeds exactly once for concurrent requests", async ({ v3 }) => {
    await addScheduleFiles(v3.database.orm, [newFile(42, 110)]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(v3, 110)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(7);
    await untilRemoved(v3, 110);
  });

  test("is atomic: the file stays if the job can't be queued", async ({ v3 }) => {
    await addScheduleFiles(v3.database.orm, [newFile(42, 130)]);
    await v3.asOwner("alter table v3.derived_data_removals rename to removals_away");
    try {
      const response = await remove(v3, 130);
      expect(response.status).toBe(500);
      expect(served.Error.parse(await response.json()).error).toBe("server_error");
      expect((await v3.send("/schedule_files/130", bearer(nw))).status).toBe(200);
    } finally {
      await v3.asOwner("alter table v3.removals_away rename to derived_data_removals");
    }
    expect((await remove(v3, 130)).status).toBe(200);
  });
});
