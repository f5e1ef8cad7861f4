import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeSegment } from "@/lib/domain/partner-address";
import { answerJson, ITEMS_PER_PAGE, MAX_BYTES, pageOf, type ToolAnswer } from "./tool-answer";

const answerOf = (given: Partial<ToolAnswer>): ToolAnswer => ({
  as_of: "2026-11-26T08:00:00.000Z",
  confidence: "Current.",
  notChecked: [],
  link: "https://plumbline.example/",
  facts: {},
  items: pageOf([], 1),
  ...given,
});

/** Bytes of a response that holds the JSON as a text. */
const responseBytes = (text: string) =>
  Buffer.byteLength(
    JSON.stringify({
      jsonrpc: "2.0",
      id: "x".repeat(100),
      result: { content: [{ type: "text", text }] },
    }),
  );

test("has what was checked, when, and one page of the items", () => {
  const all = Array.from({ length: ITEMS_PER_PAGE + 1 }, (_, at) => ({ at }));
  const json: unknown = JSON.parse(
    answerJson(answerOf({ facts: { open: 2 }, items: pageOf(all, 2) })),
  );
  expect(json).toEqual({
    as_of: "2026-11-26T08:00:00.000Z",
    confidence: "Current.",
    not_checked: [],
    not_checked_count: 0,
    link: "https://plumbline.example/",
    open: 2,
    page: 2,
    pages: 2,
    total: ITEMS_PER_PAGE + 1,
    items: [{ at: ITEMS_PER_PAGE }],
  });
});

test("says how much wasn't checked where it can't list all of it", () => {
  const notChecked = Array.from({ length: 300 }, (_, at) => ({
    what: `Company ${at}`,
    why: "Away.",
  }));
  const json = JSON.parse(answerJson(answerOf({ notChecked }))) as { not_checked: unknown[] };
  expect(json).toMatchObject({ not_checked_count: 300 });
  expect(json.not_checked).toHaveLength(10);
});

test("cuts long texts, except the link, and says so", () => {
  const link = `https://plumbline.example/${"x".repeat(2_000)}`;
  const items = pageOf(
    Array.from({ length: 8 }, () => ({ name: "é".repeat(3_000) })),
    1,
  );
  const json = JSON.parse(answerJson(answerOf({ link, items }))) as Record<string, unknown>;
  expect(json["link"]).toBe(link);
  expect(json["texts_cut_to"]).toBe(1_000);
  expect(json["items"]).toEqual(
    Array.from({ length: 8 }, () => ({ name: `${"é".repeat(1_000)}…` })),
  );
});

test("never cuts a character in two", () => {
  const items = pageOf([{ name: `x${"😀".repeat(15_000)}` }], 1);
  // A lone half would be escaped.
  expect(answerJson(answerOf({ items }))).not.toMatch(/\\ud[89a-f]/);
});

test("fits its limit with any names", () => {
  const name = fc.string({ unit: "binary", maxLength: 1_000 });
  const endpoint = fc.record({ endpoint: name, endpoint_key: name, company_name: name });
  const item = fc.record({
    partner: name,
    company: name,
    worst: fc.array(endpoint, { maxLength: 3 }),
  });
  const items = fc.array(item, { maxLength: ITEMS_PER_PAGE });
  const notChecked = fc.array(fc.record({ what: name, why: name }), { maxLength: 12 });
  fc.assert(
    fc.property(items, notChecked, name, (all, unseen, partner) => {
      const link = `https://plumbline.example/partners/${encodeSegment(partner)}`;
      const json = answerJson(
        answerOf({ link, notChecked: unseen, facts: { partner }, items: pageOf(all, 1) }),
      );
      expect(responseBytes(json)).toBeLessThanOrEqual(MAX_BYTES);
    }),
    { numRuns: 50 },
  );
});
