import { describe, expect, test } from "vitest";
import { parseSeed, readSeedFile, SeedError } from "./seed";
import { readInstant } from "./seed-instant";
import { TWO_COMPANIES, START_MS } from "./service-fixture";

function problemsOf(json: unknown): readonly string[] {
  try {
    parseSeed(json, START_MS);
  } catch (error) {
    if (error instanceof SeedError) return error.problems;
    throw error;
  }
  return [];
}

const config = { id: "a", partner_name: "P", endpoint_key: "k", status: "active" };
const company = (more: object) => ({ companies: [{ id: 1, name: "One", ...more }] });

describe("a seed file", () => {
  test("is read completely, with its instants resolved", () => {
    const { companies } = parseSeed(TWO_COMPANIES, START_MS);
    expect(companies[0]?.sync_configs[0]).toMatchObject({
      next_sync_at: START_MS + 20 * 60_000,
      recorded_sync_at: null,
      runs: [{ started_at: START_MS - 42 * 60_000 }],
      pipeline_landings: [START_MS - 10 * 60_000],
    });
  });

  test("may omit optional members or set them to null", () => {
    const nulls = { recorded_sync_at: null, runs: null, pipeline_landings: null, api_calls: null };
    expect(
      problemsOf(
        company({
          sync_configs: [
            { ...config, ...nulls },
            { ...config, id: "b" },
          ],
        }),
      ),
    ).toEqual([]);
  });

  test("is rejected with all problems at once, each with its path", () => {
    const problems = problemsOf({
      companys: [],
      companies: [
        {
          id: 1.5,
          name: "One",
          clients: [{ client_id: "c", client_secret: "s", scopes: ["admin"] }],
          sync_configs: [
            { ...config, colour: "red", next_sync_at: "tomorrow" },
            {
              ...config,
              runs: [
                { started_at: "-PT1M", finished_at: null, status: "completed" },
                { started_at: "-PT1M", finished_at: "PT0S", status: "in_progress" },
              ],
            },
          ],
          schedule_files: [],
        },
        { id: 2, name: "Two", clients: [{ client_id: "c", client_secret: "s", scopes: [] }] },
      ],
    });
    const expected = [
      /companys/,
      /^companies\[0\]\.id/,
      /^companies\[0\]\.clients\[0\]\.scopes\[0\]/,
      /^companies\[0\]\.sync_configs\[0\].*colour/,
      /^companies\[0\]\.sync_configs\[0\]\.next_sync_at.*tomorrow/,
      /^companies\[0\]\.sync_configs\[1\]\.id.*"a" is used twice/,
      /^companies\[0\]\.sync_configs\[1\]\.runs\[0\]\.finished_at/,
      /^companies\[0\]\.sync_configs\[1\]\.runs\[1\]\.finished_at/,
      /^companies\[1\]\.clients\[0\]\.client_id.*"c" is used twice/,
    ];
    for (const problem of expected) {
      expect(problems).toContainEqual(expect.stringMatching(problem));
    }
    expect(problems).toHaveLength(expected.length);
  });

  test("is rejected for what the database can't store, with its path", () => {
    const most = 2_147_483_647;
    const problems = problemsOf({
      companies: [
        {
          id: 1,
          name: "a\ud800",
          clients: [{ client_id: "c".repeat(201), client_secret: "s", scopes: [] }],
          sync_configs: [
            {
              ...config,
              api_calls: [
                { at: "-PT1H", count: most },
                { at: "-PT1H", count: 1 },
              ],
            },
            {
              ...config,
              id: "b",
              api_calls: [
                { at: "-PT1H", count: most },
                { at: "-PT2H", count: most },
              ],
            },
          ],
        },
      ],
    });
    expect(problems).toEqual([
      "companies[0].name: holds half a character",
      expect.stringMatching(/^companies\[0\]\.clients\[0\]\.client_id: Too big/),
      `companies[0].sync_configs[0].api_calls: counts more than ${most} at one instant`,
    ]);
  });

  test.each([
    ["", "isn't JSON"],
    ['{\n  "companies": [\n    { "client_secret": "hidden", }\n  ]\n}', "line 3: isn't JSON"],
    ['{ "client_secret": hidden at position 1 }', "isn't JSON"],
  ])("that isn't JSON is rejected without its content: %j", (content, problem) => {
    expect(() => readSeedFile(content)).toThrow(new SeedError([problem]));
  });

  test("requires unique ids: companies, clients and files in the whole service, configs per company", () => {
    const file = {
      id: 7,
      name: "a.xer",
      is_baseline: false,
      created_at: "-P1D",
      file_type: "xer",
    };
    const twice = {
      companies: [
        { id: 1, name: "One", sync_configs: [config], schedule_files: [file] },
        { id: 1, name: "Two", sync_configs: [config], schedule_files: [file] },
      ],
    };
    expect(problemsOf(twice)).toEqual([
      "companies[1].id: the company id 1 is used twice",
      "companies[1].schedule_files[0].id: the schedule file id 7 is used twice",
    ]);
  });

  test.each([null, [], "x", 7, {}, { companies: {} }])("can't be %j", (json) => {
    expect(problemsOf(json)).not.toEqual([]);
  });
});

describe("an instant", () => {
  const NOW = Date.parse("2026-03-31T12:00:00Z");
  test.each([
    ["2026-03-01T08:00:00Z", "2026-03-01T08:00:00.000Z"],
    ["2026-03-01T08:00:00.1234+01:30", "2026-03-01T06:30:00.123Z"],
    ["2026-03-01T08:00Z", "2026-03-01T08:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["-PT42M", "2026-03-31T11:18:00.000Z"],
    ["PT20M", "2026-03-31T12:20:00.000Z"],
    ["+PT20M", "2026-03-31T12:20:00.000Z"],
    ["-P1DT2H3M4.5S", "2026-03-30T09:56:55.500Z"],
    ["P1W", "2026-04-07T12:00:00.000Z"],
    ["PT0.5H", "2026-03-31T12:30:00.000Z"],
    ["PT0S", "2026-03-31T12:00:00.000Z"],
    ["-P1M", "2026-02-28T12:00:00.000Z"],
    ["P1Y1M", "2027-04-30T12:00:00.000Z"],
  ])("can be %s", (text, expected) => {
    const ms = readInstant(text, NOW);
    expect(ms === null ? null : new Date(ms).toISOString()).toBe(expected);
  });

  test.each([
    "",
    "P",
    "PT",
    "P1DT",
    "-",
    "PT5",
    "5M",
    "PT-5M",
    "P1H",
    "2026-03-01",
    "2026-03-01T08:00:00",
    "2026-02-30T08:00:00Z",
    "2026-13-01T08:00:00Z",
    "2026-03-01T25:00:00Z",
    "now",
    "P99999Y",
    "-P9999999999999999D",
  ])("can't be %j", (text) => {
    expect(readInstant(text, NOW)).toBeNull();
  });
});
