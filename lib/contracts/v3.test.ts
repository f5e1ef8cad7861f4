import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleFiles, sampleRows } from "@/e2e/upstream/sample-rows";
import { READ_LIMITS, read, type ServedScheduleFile, type ServedSyncStatus } from "./v3";

const [row] = sampleRows(1, Date.parse("2026-03-02T12:00:00Z")) as [ServedSyncStatus];
const [file] = sampleFiles(1, Date.parse("2026-03-02T12:00:00Z")) as [ServedScheduleFile];
const customer_project = { id: 1, name: "Tower", source: "procore", customer_project_id: "T-1" };
const meta = { page: 1, per_page: 100, total_count: 1, total_pages: 1 };

const takesRow = (attributes: object) =>
  read.SyncStatusList.safeParse({
    data: [{ ...row, attributes: { ...row.attributes, ...attributes } }],
    meta,
  }).success;
const takesFile = (members: object) => read.ScheduleFile.safeParse({ ...file, ...members }).success;

describe("parsing of upstream responses", () => {
  it("preserves unknown members and enum values", () => {
    const odd = {
      ...row,
      links: {},
      attributes: { ...row.attributes, status: "hibernating", colour: "green" },
    };
    expect(read.SyncStatusList.parse({ data: [odd], meta }).data).toEqual([odd]);
    expect(read.ScheduleFile.parse({ ...file, file_type: "pdf", colour: "green" })).toEqual({
      ...file,
      file_type: "pdf",
      colour: "green",
    });
  });

  it.each(["last_sync_duration_seconds", "frequency_minutes", "api_calls_last_24h"])(
    "rejects a %s beyond date arithmetic",
    (member) => {
      expect(takesRow({ [member]: READ_LIMITS.quantity })).toBe(true);
      for (const absurd of [READ_LIMITS.quantity + 1, 1e300, Infinity, NaN, -1e300]) {
        expect(takesRow({ [member]: absurd })).toBe(false);
      }
    },
  );

  it("accepts any timestamp format, but no long text that starts with one", () => {
    const instants = [
      "2026-03-02T12:00:00.123456+05:30",
      "2026-03-02",
      "Mon, 02 Mar 2026 12:00 GMT",
    ];
    for (const instant of instants) expect(takesRow({ next_sync_at: instant })).toBe(true);
    for (const essay of [
      "soon",
      "",
      `2026-03-02T12:00:00Z${" ".repeat(60)}`,
      `2026-03-02 (${"(".repeat(100)}`,
    ]) {
      expect(takesRow({ next_sync_at: essay })).toBe(false);
      expect(takesFile({ created_at: essay })).toBe(false);
    }
  });

  it("accepts a project whose texts are names, and rejects arbitrary content in it", () => {
    const project = (more: object) => ({ customer_project: { ...customer_project, ...more } });
    const long = "x".repeat(READ_LIMITS.nameLength + 1);
    expect(takesFile(project({ note: long }))).toBe(true);
    for (const member of ["name", "source", "customer_project_id"]) {
      expect(takesFile(project({ [member]: long.slice(1) }))).toBe(true);
      expect(takesFile(project({ [member]: long }))).toBe(false);
    }
    expect(takesFile(project({ note: "x".repeat(READ_LIMITS.rowLength) }))).toBe(false);
    expect(takesFile(project({ notes: Array<number>(9_000).fill(0) }))).toBe(false);
  });

  it("accepts at most one page of rows", () => {
    const page = (count: number) => ({ data: Array.from({ length: count }, () => row), meta });
    expect(read.SyncStatusList.safeParse(page(100)).success).toBe(true);
    expect(read.SyncStatusList.safeParse(page(101)).success).toBe(false);
  });

  it("reports only one of many errors, and never throws, for any input", () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 100 }), (data) => {
        const parsed = read.SyncStatusList.safeParse({ data, meta });
        if (data.length > 0) expect(parsed.error?.issues).toHaveLength(1);
      }),
    );
    fc.assert(
      fc.property(fc.anything(), (given) => {
        expect(read.SyncStatusList.safeParse(given).success).toBe(false);
        expect(read.ScheduleFile.safeParse(given).success).toBe(false);
      }),
    );
  });
});
