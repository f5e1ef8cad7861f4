import { describe, expect, it } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { Upstream } from "@/lib/server/upstream/upstream";
import { isWronglySetBack, readAllRows } from "./read-all-rows";

const row = (id: string, partner = "Procore"): ReadSyncStatus => ({
  id,
  attributes: {
    endpoint_key: id,
    partner_name: partner,
    status: "active",
    last_updated_at: null,
    next_sync_at: null,
    last_sync_status: null,
    last_sync_started_at: null,
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
    frequency_minutes: 60,
    api_calls_last_24h: 0,
  },
});

type Page = { ids: string[]; total: number; pages: number };

/** Returns the given pages in sequence, whatever is requested, and records the requests. */
function pages(...answers: Page[]) {
  const requests: number[] = [];
  const upstream: Pick<Upstream, "getSyncStatus"> = {
    getSyncStatus: ({ page, perPage }) => {
      const answer = answers[requests.length];
      requests.push(page);
      if (answer === undefined) throw new Error("more pages were requested than expected");
      const meta = {
        page,
        per_page: perPage,
        total_count: answer.total,
        total_pages: answer.pages,
      };
      return Promise.resolve({
        value: { data: answer.ids.map((id) => row(id)), meta },
        apiClockOffsetMs: 7,
      });
    },
  };
  return { upstream, requests };
}

const read = (upstream: Pick<Upstream, "getSyncStatus">, signal = new AbortController().signal) =>
  readAllRows(upstream, signal, () => {});

describe("readAllRows", () => {
  it("joins all pages, in order, with the clock offset and the number of requests", async () => {
    const { upstream, requests } = pages(
      { ids: ["a", "b"], total: 3, pages: 2 },
      { ids: ["c"], total: 3, pages: 2 },
    );
    const { rows, ...rest } = await read(upstream);
    expect([...rows.keys()]).toEqual(["a", "b", "c"]);
    expect(rest).toMatchObject({ totalPages: 2, apiClockOffsetMs: 7 });
    expect(requests).toEqual([1, 2]);
  });

  it("accepts a company without endpoints", async () => {
    const { upstream, requests } = pages({ ids: [], total: 0, pages: 0 });
    expect((await read(upstream)).rows.size).toBe(0);
    expect(requests).toEqual([1]);
  });

  it("rejects an empty response with a non-zero total", async () => {
    const { upstream } = pages({ ids: [], total: 12, pages: 1 }, { ids: [], total: 12, pages: 1 });
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
  });

  it("reads again when the total changes in between", async () => {
    const { upstream, requests } = pages(
      { ids: ["a", "b"], total: 3, pages: 2 },
      { ids: ["c"], total: 4, pages: 2 },
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["c", "d"], total: 4, pages: 2 },
    );
    expect([...(await read(upstream)).rows.keys()]).toEqual(["a", "b", "c", "d"]);
    expect(requests).toEqual([1, 2, 1, 2]);
  });

  it("gives up when the pages change during the second read too", async () => {
    const { upstream, requests } = pages(
      { ids: ["a"], total: 2, pages: 2 },
      { ids: ["b"], total: 3, pages: 2 },
      { ids: ["a"], total: 3, pages: 2 },
      { ids: ["b"], total: 4, pages: 2 },
    );
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
    expect(requests).toHaveLength(4);
  });

  it("reads again when a row is repeated on the next page, because another was displaced", async () => {
    const { upstream } = pages(
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["b", "c"], total: 4, pages: 2 },
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["c", "d"], total: 4, pages: 2 },
    );
    expect([...(await read(upstream)).rows.keys()]).toEqual(["a", "b", "c", "d"]);
  });

  it("never returns pages that lack a row", async () => {
    const shifted = [
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["b", "c"], total: 4, pages: 2 },
    ];
    const { upstream } = pages(...shifted, ...shifted);
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
  });

  it("keeps one of two equal rows in one response, whether or not the total counts both", async () => {
    for (const total of [2, 3]) {
      const { upstream, requests } = pages({ ids: ["a", "a", "b"], total, pages: 1 });
      expect([...(await read(upstream)).rows.keys()]).toEqual(["a", "b"]);
      expect(requests).toEqual([1]);
    }
  });

  it("rejects two different rows with the same id in one response", async () => {
    let requests = 0;
    const upstream: Pick<Upstream, "getSyncStatus"> = {
      getSyncStatus: ({ page, perPage }) => {
        requests += 1;
        const failed = row("a");
        failed.attributes.last_sync_status = "failed";
        const completed = row("a");
        completed.attributes.last_sync_status = "completed";
        const meta = { page, per_page: perPage, total_count: 2, total_pages: 1 };
        return Promise.resolve({
          value: { data: [failed, completed], meta },
          apiClockOffsetMs: 0,
        });
      },
    };
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
    expect(requests).toBe(2);
  });

  it("stops at a page count that the rows can't fill", async () => {
    const { upstream, requests } = pages({ ids: ["a"], total: 1, pages: 9_000 });
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
    expect(requests).toEqual([1]);
  });

  it("stops at more rows than fit into memory", async () => {
    for (const total of [20_001, Number.MAX_SAFE_INTEGER]) {
      const { upstream, requests } = pages({ ids: ["a"], total, pages: 201 });
      await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
      expect(requests).toEqual([1]);
    }
  });

  it("gives up when rows are too long in total", async () => {
    const notes = "x".repeat(16_000);
    let lastPage = 0;
    const upstream: Pick<Upstream, "getSyncStatus"> = {
      getSyncStatus: ({ page, perPage }) => {
        lastPage = page;
        const data = Array.from({ length: perPage }, (_, n) => ({
          ...row(`${page}-${n}`),
          notes,
        }));
        const meta = { page, per_page: perPage, total_count: 20_000, total_pages: 200 };
        return Promise.resolve({ value: { data, meta }, apiClockOffsetMs: 0 });
      },
    };
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
    expect(lastPage).toBe(21);
  });

  it("replaces characters that the database can't store, also in unknown members", async () => {
    const odd = { ...row("a", "Pro\0core \ud800"), note: { "k\0": ["\udfff", "fine \u{1F600}"] } };
    const upstream: Pick<Upstream, "getSyncStatus"> = {
      getSyncStatus: ({ page, perPage }) =>
        Promise.resolve({
          value: {
            data: [odd],
            meta: { page, per_page: perPage, total_count: 1, total_pages: 1 },
          },
          apiClockOffsetMs: 0,
        }),
    };
    const kept = (await read(upstream)).rows.get("a");
    expect(kept?.attributes.partner_name).toBe("Pro\ufffdcore \ufffd");
    expect(kept).toMatchObject({ note: { "k\ufffd": ["\ufffd", "fine \u{1F600}"] } });
  });

  it("ends at once when aborted, even during a hanging request", async () => {
    const stop = new AbortController();
    const hanging: Pick<Upstream, "getSyncStatus"> = {
      getSyncStatus: () => new Promise(() => {}),
    };
    const reading = read(hanging, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
  });
});

describe("isWronglySetBack", () => {
  const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
  const minutes = (count: number) => count * 60_000;
  /** A response whose `Date` is ahead of our clock by minutes; data was received that many before it. */
  const given = (dateAhead: number, ...receivedBefore: (number | null)[]) => ({
    rows: new Map(
      receivedBefore.map((before, index) => {
        const { id, attributes } = row(String(index));
        const last_updated_at =
          before === null ? null : new Date(NOW_MS - minutes(before)).toISOString();
        return [id, { id, attributes: { ...attributes, last_updated_at } }] as const;
      }),
    ),
    totalPages: 1,
    apiClockOffsetMs: minutes(dateAhead),
  });

  it.each([
    { is: "data was received after it", dateAhead: -180, before: [400, 5, null], expected: true },
    { is: "all data is older", dateAhead: -180, before: [400, 181, null], expected: false },
    { is: "data is ahead by what clocks differ", dateAhead: -180, before: [170], expected: false },
    { is: "data is ahead of either clock", dateAhead: -180, before: [-5], expected: false },
    { is: "it is that of our clock", dateAhead: 0, before: [-15, 5], expected: false },
    { is: "it is later", dateAhead: 180, before: [-170, 5], expected: false },
    { is: "it is earlier by minutes", dateAhead: -9, before: [1], expected: false },
  ])("says $expected if $is", ({ dateAhead, before, expected }) => {
    expect(isWronglySetBack(given(dateAhead, ...before), NOW_MS, 0)).toBe(expected);
  });

  it("goes by the clock that was known, not by ours, once neither agrees with the Date", () => {
    expect(isWronglySetBack(given(-60, -30), NOW_MS, minutes(60))).toBe(true);
    expect(isWronglySetBack(given(-60, -30), NOW_MS, minutes(20))).toBe(false);
    expect(isWronglySetBack(given(-60, 30), NOW_MS, minutes(-20))).toBe(true);
    expect(isWronglySetBack(given(60, -90), NOW_MS, minutes(120))).toBe(true);
  });

  it("believes a Date that agrees with our clock, whatever was known", () => {
    expect(isWronglySetBack(given(0, -30), NOW_MS, minutes(60))).toBe(false);
  });
});
