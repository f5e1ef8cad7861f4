import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_INCIDENTS, type OpenIncident } from "@/lib/domain/incidents/incident";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { step, type ObservedEndpoint } from "@/lib/domain/incidents/step";
import { VERDICTS } from "@/lib/domain/sync";
import { createIncidentFold, type FoldedIncident } from "./incident-fold";
import type { JudgedRow } from "./verdicts";

const START_MS = Date.parse("2026-11-19T10:00:00Z");
const MINUTE_MS = 60_000;
const PARTNERS = { a: "Procore", b: "Procore", c: "Sage" } as const;

const seen = fc.record({
  isListed: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  verdict: fc.constantFrom(...VERDICTS, "late", "failing", "fresh"),
  beganMinutesAgo: fc.integer({ min: 0, max: 30 }),
  landedMinutesAgo: fc.option(fc.constantFrom(-15, -5, 0, 1, 5, 20, 60, 100)),
  run: fc.option(
    fc.record({
      status: fc.constantFrom("completed", "failed"),
      startedMinutesAgo: fc.integer({ min: 1, max: 60 }),
    }),
  ),
  isRescheduled: fc.boolean(),
  isQuiet: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const check = fc.record({
  minutes: fc.integer({ min: 1, max: 12 }),
  isBlindBefore: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
  a: seen,
  b: seen,
  c: seen,
});

test("the fold and the domain's rule find the same incidents in any history", () => {
  fc.assert(
    fc.property(fc.array(check, { minLength: 1, maxLength: 40 }), (checks) => {
      const fold = createIncidentFold();
      const folded = new Set<FoldedIncident>();
      const ended: OpenIncident[] = [];
      let state = NO_INCIDENTS;
      let atMs = START_MS;
      for (const { minutes, isBlindBefore, ...endpoints } of checks) {
        const fromMs = atMs;
        atMs += minutes * MINUTE_MS;
        const gap = isBlindBefore ? { fromMs, untilMs: atMs } : null;
        const observed: ObservedEndpoint[] = [];
        const rows = new Map<string, JudgedRow>();
        for (const id of ["a", "b", "c"] as const) {
          const one = endpoints[id];
          const ago = (count: number | null) => (count === null ? null : atMs - count * MINUTE_MS);
          const landedMs = ago(one.landedMinutesAgo);
          const isTrouble = ["late", "stale", "failing"].includes(one.verdict);
          const beganMs = isTrouble ? ago(one.beganMinutesAgo) : null;
          const startedMs = ago(one.run?.startedMinutesAgo ?? null);
          fold.quiet("x", {
            id,
            partner_name: PARTNERS[id],
            endpoint_id: id,
            from_at: iso(one.isQuiet ? atMs : 0),
            until_at: iso(one.isQuiet ? atMs + 1 : 0),
            weekly: null,
            ended_at: null,
            made_at: iso(0),
          });
          if (!one.isListed) continue;
          const { isRescheduled, isQuiet, run } = one;
          observed.push({
            id,
            key: id,
            partner: PARTNERS[id],
            verdict: one.verdict,
            troubleBeganMs: beganMs,
            // Too far ahead to be believed.
            landedMs: one.landedMinutesAgo === -15 ? null : landedMs,
            lastRun: run === null ? null : { status: run.status, startedMs, endedMs: atMs },
            isRescheduled,
            isQuiet,
          });
          rows.set(id, {
            row: {
              endpoint_id: id,
              partner_name: PARTNERS[id],
              raw: { attributes: { last_updated_at: landedMs === null ? null : iso(landedMs) } },
            },
            facts: {
              last: run === null ? null : { status: run.status, startedMs, endedMs: atMs },
            },
            judged: { word: one.verdict, beganMs },
            isRescheduled,
          } as unknown as JudgedRow);
        }
        for (const one of fold.check({ company: "x", atMs, gap, rows: [] }, rows)) folded.add(one);
        const after = step(state, { atMs, gap, endpoints: observed }, INCIDENT_SETTINGS);
        state = after.state;
        ended.push(...after.ended);
      }
      const expected = [...ended, ...state.open].map((one) => ({
        partner: one.partner,
        beganMs: one.beganMs,
        openedMs: one.openedMs,
        endedMs: "endedMs" in one ? one.endedMs : null,
        ending: "ending" in one ? one.ending : null,
        worst: one.worstVerdict,
        flaps: one.flaps,
        parts: one.members.map(({ endpointId, beganMs, joinedMs, endedMs, ending }) => ({
          endpointId,
          beganMs,
          joinedMs,
          endedMs,
          ending,
        })),
      }));
      const found = [...folded].map((one) => ({
        partner: one.partner,
        beganMs: one.beganMs,
        openedMs: one.openedMs,
        endedMs: one.endedMs,
        ending: one.ending,
        worst: one.worst,
        flaps: one.flaps,
        parts: [...one.parts].map(([endpointId, { beganMs, joinedMs, endedMs, ending }]) => ({
          endpointId,
          beganMs,
          joinedMs,
          endedMs,
          ending,
        })),
      }));
      const inOrder = <T extends { openedMs: number; partner: string }>(all: T[]) =>
        all.toSorted((a, b) => a.openedMs - b.openedMs || (a.partner < b.partner ? -1 : 1));
      expect(inOrder(found)).toEqual(inOrder(expected));
    }),
    { numRuns: 1_000 },
  );
});

const iso = (ms: number) => new Date(ms).toISOString();
