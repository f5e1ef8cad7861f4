import { describe, expect, it } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { Upstream } from "@/lib/server/upstream/upstream";
import { readAllRows } from "./read-all-rows";

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

/** Answers one page after the other, whatever is asked, and counts. */
function pages(...answers: Page[]) {
  const asked: number[] = [];
  const upstream: Pick<Upstream, "getSyncStatus"> = {
    getSyncStatus: ({ page, perPage }) => {
      const answer = answers[asked.length];
      asked.push(page);
      if (answer === undefined) throw new Error("more pages were asked than expected");
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
  return { upstream, asked };
}

const read = (upstream: Pick<Upstream, "getSyncStatus">, signal = new AbortController().signal) =>
  readAllRows(upstream, signal, () => {});

describe("reading the pages", () => {
  it("joins all pages, in order, with the clock offset and what they cost", async () => {
    const { upstream, asked } = pages(
      { ids: ["a", "b"], total: 3, pages: 2 },
      { ids: ["c"], total: 3, pages: 2 },
    );
    const { rows, ...rest } = await read(upstream);
    expect([...rows.keys()]).toEqual(["a", "b", "c"]);
    expect(rest).toMatchObject({ totalPages: 2, apiClockOffsetMs: 7 });
    expect(asked).toEqual([1, 2]);
  });

  it("takes a company without any endpoint as it is", async () => {
    const { upstream, asked } = pages({ ids: [], total: 0, pages: 0 });
    expect((await read(upstream)).rows.size).toBe(0);
    expect(asked).toEqual([1]);
  });

  it("never takes no rows for an answer when the total says otherwise", async () => {
    const { upstream } = pages({ ids: [], total: 12, pages: 1 }, { ids: [], total: 12, pages: 1 });
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
  });

  it("reads once more when the total changes on the way", async () => {
    const { upstream, asked } = pages(
      { ids: ["a", "b"], total: 3, pages: 2 },
      { ids: ["c"], total: 4, pages: 2 },
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["c", "d"], total: 4, pages: 2 },
    );
    expect([...(await read(upstream)).rows.keys()]).toEqual(["a", "b", "c", "d"]);
    expect(asked).toEqual([1, 2, 1, 2]);
  });

  it("gives up when the pages change during the second read too", async () => {
    const { upstream, asked } = pages(
      { ids: ["a"], total: 2, pages: 2 },
      { ids: ["b"], total: 3, pages: 2 },
      { ids: ["a"], total: 3, pages: 2 },
      { ids: ["b"], total: 4, pages: 2 },
    );
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
    expect(asked).toHaveLength(4);
  });

  it("reads once more when a row came again on the next page, since another was pushed out", async () => {
    const { upstream } = pages(
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["b", "c"], total: 4, pages: 2 },
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["c", "d"], total: 4, pages: 2 },
    );
    expect([...(await read(upstream)).rows.keys()]).toEqual(["a", "b", "c", "d"]);
  });

  it("never shows a page set that is short of a row", async () => {
    const shifted = [
      { ids: ["a", "b"], total: 4, pages: 2 },
      { ids: ["b", "c"], total: 4, pages: 2 },
    ];
    const { upstream } = pages(...shifted, ...shifted);
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
  });

  it("keeps one row of an id that one answer repeats, whether the total counts it twice or not", async () => {
    for (const total of [2, 3]) {
      const { upstream, asked } = pages({ ids: ["a", "a", "b"], total, pages: 1 });
      expect([...(await read(upstream)).rows.keys()]).toEqual(["a", "b"]);
      expect(asked).toEqual([1]);
    }
  });

  it("doesn't choose between two rows of an id that one answer gives differently", async () => {
    let asked = 0;
    const upstream: Pick<Upstream, "getSyncStatus"> = {
      getSyncStatus: ({ page, perPage }) => {
        asked += 1;
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
    expect(asked).toBe(2);
  });

  it("does not start on a page count that the rows cannot fill", async () => {
    const { upstream, asked } = pages({ ids: ["a"], total: 1, pages: 9_000 });
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
    expect(asked).toEqual([1]);
  });

  it("does not start on more rows than are held in memory", async () => {
    for (const total of [20_001, Number.MAX_SAFE_INTEGER]) {
      const { upstream, asked } = pages({ ids: ["a"], total, pages: 201 });
      await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
      expect(asked).toEqual([1]);
    }
  });

  it("gives up when rows that are each short enough are too long together", async () => {
    const notes = "x".repeat(16_000);
    let asked = 0;
    const upstream: Pick<Upstream, "getSyncStatus"> = {
      getSyncStatus: ({ page, perPage }) => {
        asked = page;
        const data = Array.from({ length: perPage }, (_, n) => ({
          ...row(`${page}-${n}`),
          notes,
        }));
        const meta = { page, per_page: perPage, total_count: 20_000, total_pages: 200 };
        return Promise.resolve({ value: { data, meta }, apiClockOffsetMs: 0 });
      },
    };
    await expect(read(upstream)).rejects.toMatchObject({ reason: "invalid_response" });
    expect(asked).toBe(21);
  });

  it("replaces what the database cannot hold, also in members that we do not know", async () => {
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

  it("ends at once when nobody waits for it any more, even while a request hangs", async () => {
    const stop = new AbortController();
    const hanging: Pick<Upstream, "getSyncStatus"> = {
      getSyncStatus: () => new Promise(() => {}),
    };
    const reading = read(hanging, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
  });
});
