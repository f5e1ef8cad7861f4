import fc from "fast-check";
import { expect, test } from "vitest";
import {
  count,
  isBehind,
  isCurrent,
  isDue,
  isOverdueBesideQuiet,
  isResting,
  NAMES,
  nameOf,
  type ClaimContext,
  type ClaimRow,
} from "./claim-rows-fixture";
import { problemOf, sentencesIn } from "./claims-fixture";
import { companyWords, customerWords, type CustomerPicture } from "./customer-words";
import { anyWeek } from "@/lib/domain/learned-week/week-fixture";
import type { EndpointFacts, SyncAttributes } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";

/** Random rows, written about as for a customer, and every sentence read back. */

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const AS_OF_MS = NOW_MS - 7 * MINUTE_MS;
const iso = (minutesAgo: number | null) =>
  minutesAgo === null ? null : new Date(NOW_MS - minutesAgo * MINUTE_MS).toISOString();

const ago = (most: number) =>
  fc.option(fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: most })), {
    freq: 6,
  });
const outcome = fc.constantFrom(
  "completed",
  "failed",
  "timed_out",
  "rate_limited",
  "in_progress",
  null,
);

type Given = Pick<ClaimRow, "known"> & {
  attributes: Omit<SyncAttributes, "endpoint_key" | "partner_name">;
};

const facts: fc.Arbitrary<Given> = fc
  .record({
    status: fc.oneof(
      { weight: 5, arbitrary: fc.constant("active") },
      fc.constantFrom("inactive", "webhook"),
    ),
    landed: fc.oneof({ weight: 12, arbitrary: ago(9000) }, fc.constant(-30)),
    next: fc.option(
      fc.oneof(fc.integer({ min: -300, max: 0 }), fc.integer({ min: 0, max: 4000 })),
      { freq: 5 },
    ),
    lastStatus: outcome,
    started: ago(4000),
    took: fc.integer({ min: 0, max: 90 }),
    frequency: fc.option(fc.constantFrom(30, 60, 240, 1440), { freq: 8 }),
    failures: fc.oneof(fc.constantFrom(0, 1, 2, 5), fc.integer({ min: 0, max: 30 })),
    typical: fc.option(fc.constantFrom(40, 60, 700, 9000)),
    before: fc.constantFrom("completed", "failed", "timed_out", null),
    week: fc.option(anyWeek, { freq: 2 }),
    reported: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  })
  .map((one) => {
    const isRunning = one.lastStatus === "in_progress";
    const finished = isRunning || one.started === null ? null : Math.max(0, one.started - one.took);
    const known: EndpointFacts = {
      typical_duration_seconds: one.typical,
      failures_in_a_row: one.failures,
      last_finished_status: one.before,
      last_finished_at: one.before === null ? null : iso((one.started ?? 0) + 30),
      learned_frequency_minutes: null,
      learned_week: one.week,
      reported: one.reported,
    };
    return {
      known,
      attributes: {
        status: one.status,
        last_updated_at: iso(one.landed),
        next_sync_at: iso(one.next),
        last_sync_status: one.lastStatus,
        last_sync_started_at: iso(one.started),
        last_sync_finished_at: iso(finished),
        last_sync_duration_seconds: finished === null ? null : one.took * 60,
        frequency_minutes: one.frequency,
        api_calls_last_24h: 1,
      },
    };
  });

/** Rows that share most of their facts are as common as rows that share none. */
const rowsGiven = fc.oneof(
  fc.array(facts, { minLength: 1, maxLength: 10 }),
  fc
    .tuple(facts, fc.array(facts, { maxLength: 3 }), fc.integer({ min: 1, max: 6 }))
    .map(([alike, others, many]): Given[] => [
      ...Array.from({ length: many }, () => alike),
      ...others,
    ]),
);

const picture: fc.Arbitrary<CustomerPicture> = fc.record({
  confidence: fc.constantFrom("live", "live", "delayed", "blind"),
  asOfMs: fc.constant(AS_OF_MS),
  silence: fc.constantFrom(null, null, "no_answer" as const),
});

function rowsOf(all: readonly Given[], { confidence }: CustomerPicture): ClaimRow[] {
  const keys = Object.keys(NAMES);
  return all.slice(0, keys.length).map(({ attributes, known }, at) => {
    const whole = { ...attributes, endpoint_key: keys[at] ?? "", partner_name: "Procore" };
    const judgement = verdict(whole, known, confidence === "blind" ? AS_OF_MS : NOW_MS);
    return { attributes: whole, known, judgement, word: judgement.word };
  });
}

const feedOf = ({ attributes, judgement, word }: ClaimRow) => ({
  endpointKey: attributes.endpoint_key,
  judgement,
  word,
});
const WHEN = { nowMs: NOW_MS, timeZone: "UTC" };
const contextOf = (rows: readonly ClaimRow[]): ClaimContext => ({
  rows,
  nowMs: NOW_MS,
  asOfMs: AS_OF_MS,
});

test("every clause about a partner is true of the rows, and no feed in trouble goes unmentioned", () => {
  fc.assert(
    fc.property(rowsGiven, picture, (all, seen) => {
      const rows = rowsOf(all, seen);
      const { paragraph } = customerWords("Procore", rows.map(feedOf), seen, WHEN);
      const sentences = sentencesIn(paragraph);
      const problems = sentences.flatMap((one) => problemOf(one, contextOf(rows)) ?? []);
      expect({ paragraph, problems }).toEqual({ paragraph, problems: [] });
      const behind = rows.filter(isBehind);
      if (behind.length === 0) {
        expect(paragraph).not.toMatch(
          /\bbehind\b(?<!none is (?:known to be )?behind|is known to be behind)/,
        );
        // A feed that is on time only by its learned week is never among those up to date, and is said.
        const isSaid = rows.some(isResting) && seen.confidence !== "blind";
        expect(
          sentences.filter((one) => one.startsWith("No new data is expected yet for")),
        ).toHaveLength(isSaid ? 1 : 0);
      } else {
        // The check of the sentence itself counts or names them all.
        expect(
          sentences.filter((one) => /\b(?:is|are|was|were) behind\b|^It was behind/.test(one)),
        ).toHaveLength(1);
      }
    }),
    { numRuns: 1500 },
  );
});

test("while a feed is behind, feeds that are all right aren’t named", () => {
  fc.assert(
    fc.property(rowsGiven, picture, (all, seen) => {
      const rows = rowsOf(all, seen);
      if (!rows.some(isBehind)) return;
      const { paragraph } = customerWords("Procore", rows.map(feedOf), seen, WHEN);
      for (const row of rows) {
        const isRight =
          !isBehind(row) && row.word !== "unknown" && !row.judgement.overlays.rateLimited;
        if (isRight) expect(paragraph).not.toMatch(new RegExp(`\\b${nameOf(row)}\\b`));
      }
      expect(paragraph).not.toMatch(/real time|turned off|\bup to date\b(?<!We can’t say.*)/);
    }),
    { numRuns: 600 },
  );
});

test("what was true at the last check isn’t claimed of now, and says when that was", () => {
  fc.assert(
    fc.property(rowsGiven, picture, (all, seen) => {
      const rows = rowsOf(all, seen);
      const { paragraph } = customerWords("Procore", rows.map(feedOf), seen, WHEN);
      if (seen.confidence === "blind") {
        expect(paragraph).toContain("13:25 UTC");
        expect(paragraph.endsWith("We’re still checking.")).toBe(seen.silence === null);
        expect(paragraph).not.toMatch(/\b(?:is|are) (?:behind|up to date|running|due|scheduled)\b/);
      }
      if (seen.confidence === "delayed") expect(paragraph).toMatch(/as of 13:25(?: UTC)?\.$/);
    }),
    { numRuns: 600 },
  );
});

test("every clause about all partners is true of their rows, and no partner in trouble goes unmentioned", () => {
  const PARTNERS = ["Aconex", "Procore", "Viewpoint", "Primavera", "Fieldwire", "Autodesk"];
  fc.assert(
    fc.property(fc.array(rowsGiven, { minLength: 2, maxLength: 6 }), picture, (given, seen) => {
      const partners = given.map((all, at) => ({
        partnerName: PARTNERS[at] ?? "",
        rows: rowsOf(all, seen),
      }));
      const { paragraph } = companyWords(
        partners.map(({ partnerName, rows }) => ({ partnerName, feeds: rows.map(feedOf) })),
        seen,
        WHEN,
      );
      const every = partners.flatMap(({ rows }) => rows);
      let rows: readonly ClaimRow[] = every;
      const problems: string[] = [];
      for (const sentence of sentencesIn(paragraph)) {
        const named = partners.find(({ partnerName }) =>
          new RegExp(`our (?:\\w+ )?${partnerName} feed`).test(sentence),
        );
        rows = named?.rows ?? rows;
        const problem = wholeProblem(sentence, partners) ?? problemOf(sentence, contextOf(rows));
        if (problem !== null && problem !== TRUE) problems.push(problem);
      }
      expect({ paragraph, problems }).toEqual({ paragraph, problems: [] });
      for (const { partnerName, rows: own } of partners) {
        const isUnsure = own.some(({ word }) => word === "unknown");
        const isBlind = seen.confidence === "blind";
        if (own.some(isBehind) || (isUnsure && !isBlind)) expect(paragraph).toContain(partnerName);
        else expect(paragraph).not.toContain(partnerName);
      }
    }),
    { numRuns: 600 },
  );
});

const TRUE = "true";
type Partners = readonly { partnerName: string; rows: readonly ClaimRow[] }[];

/** What is wrong with a sentence about all partners; `TRUE`: nothing; null: it isn't one. */
function wholeProblem(sentence: string, partners: Partners): string | null {
  const every = partners.flatMap(({ rows }) => rows);
  const behind = every.filter(isBehind).length;
  const many = (is: (row: ClaimRow) => boolean) => every.filter(is).length;
  const overdue =
    /^From (?:its|their) history, we expect no new data for (\w+) feeds? at certain/.exec(sentence);
  if (overdue !== null && behind === 0)
    return count(overdue[1] ?? "") === many(isOverdueBesideQuiet) ? TRUE : `not true: ${sentence}`;
  const notExpected =
    /^No new data is expected yet for (?:(either|any) of them|(\w+) feeds?): judging by (?:its|their) history, (?:it’s|they’re) quiet at certain times of the week\.$/.exec(
      sentence,
    );
  if (notExpected !== null && behind === 0) {
    const [, all, some = ""] = notExpected;
    const isTrue = (all === undefined ? count(some) : every.length) === many(isResting);
    return isTrue ? TRUE : `not true: ${sentence}`;
  }
  const check = (isTrue: boolean) => (isTrue ? TRUE : `not true: ${sentence}`);

  const lead =
    /^(?:At that point, )?(?:(all \w+|both) of your|(\w+) of your (\w+)) feeds (?:is|are|was|were) behind(?:, across (.+)|: (.+))\.$/i.exec(
      sentence,
    );
  const one = /^At that point, one of your (\w+) feeds, an? (\w+) feed, was behind\.$/.exec(
    sentence,
  );
  if (one !== null) {
    const rows = partners.find(({ partnerName }) => partnerName === one[2])?.rows ?? [];
    return check(behind === 1 && count(one[1] ?? "") === every.length && rows.some(isBehind));
  }
  if (lead !== null && (lead[4] !== undefined || sentence.startsWith("At"))) {
    const [, whole, some = "", total = "", names = "", counts = ""] = lead;
    const troubled = partners.filter(({ rows }) => rows.some(isBehind));
    const isCounted =
      whole === undefined
        ? count(some) === behind && count(total) === every.length
        : behind === every.length;
    const areNamed = /^(\w+) partners$/.test(names)
      ? count(names.split(" ")[0] ?? "") === troubled.length
      : names === "" ||
        names
          .split(/, | and /)
          .toSorted()
          .join() ===
          troubled
            .map(({ partnerName }) => partnerName)
            .toSorted()
            .join();
    const areCounted = counts === "" || countedFeeds(counts, troubled, isBehind);
    return check(isCounted && areNamed && areCounted);
  }
  const quiet =
    /^(?:(?:all \w+|both) of your|(\w+) of your (\w+)) feeds (?:is|are) (?:up to date(?:, and none is (known to be )?behind)?|(known to be )?behind)\.$/i.exec(
      sentence,
    );
  if (quiet !== null && behind === 0) {
    const [, some, , careful = quiet[4]] = quiet;
    const current = many(isCurrent);
    const isSure = many(({ word }) => word === "unknown") === 0;
    if (some === "None") return check(current === 0 && (careful === undefined) === isSure);
    if (some === undefined) return check(current === every.length);
    return check(count(some) === current && (careful === undefined) === isSure);
  }
  const due = /^(\w+) (?:is|are) due for an update\.$/.exec(sentence);
  if (due !== null) return check(behind === 0 && count(due[1] ?? "") === many(isDue));
  const unknown = /^We can’t say right now whether (.+) (?:is|are) up to date\.$/.exec(sentence);
  if (unknown !== null && !unknown[1]?.startsWith("your")) {
    return check(countedFeeds(unknown[1] ?? "", partners, ({ word }) => word === "unknown"));
  }
  const then = /^At that point, .*up to date|^At that point, .*due for an update/.test(sentence);
  return then ? check(behind === 0) : null;

  function countedFeeds(text: string, among: Partners, is: (row: ClaimRow) => boolean): boolean {
    const parts = text.split(/, | and /);
    return parts.every((part) => {
      const [, some = "", name = ""] = /^(\w+) (\w+) feeds?$/.exec(part) ?? [];
      const rows = among.find(({ partnerName }) => partnerName === name)?.rows ?? [];
      return count(some) === rows.filter(is).length && rows.some(is);
    });
  }
}
