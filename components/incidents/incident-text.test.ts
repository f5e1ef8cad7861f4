import { expect, test } from "vitest";
import type { Incident, IncidentView } from "@/lib/contracts/incidents";
import { incidentHeadline } from "@/lib/domain/words/incident-headline";
import { ENDING_LABEL } from "@/lib/domain/words/incident-words";
import { incidentFixture } from "./incident-fixture";
import {
  endedTexts,
  headlineOf,
  openTexts,
  seenFrom,
  spokenEndingOf,
  timelineDay,
} from "./incident-text";

const at = (time: string) => `2026-11-21T${time}:00.000Z`;
const NOW = Date.parse(at("12:00"));

function ended(isResting: boolean): Incident {
  const rests = isResting ? { is_resting: true as const } : {};
  return incidentFixture({
    state: "ended",
    began_at: at("05:37"),
    opened_at: at("05:38"),
    ended_at: at("07:49"),
    ending: "eased",
    ...rests,
    verdict: null,
    worst_verdict: "late",
    members: [
      {
        endpoint_id: "r1",
        endpoint_key: "rfis",
        verdict: "fresh",
        began_at: at("05:37"),
        joined_at: at("05:38"),
        ended_at: at("07:49"),
        ending: "eased",
        received_at: null,
        ...rests,
      },
    ],
  });
}

test("how long it lasted isn't known if the source's clock was set back before its end", () => {
  const incident = ended(false);
  expect(endedTexts(incident, NOW, "UTC").lasted).toBe("2 h 12 m");
  const setBack = { ...incident, ended_at: at("05:30") };
  expect(endedTexts(setBack, NOW, "UTC").lasted).toBe("not known");
});

test("a timeline is headed with today only if a time of it has no date of its own", () => {
  const day = (...times: string[]) =>
    timelineDay(times.map(Date.parse), Date.parse("2026-11-29T08:00:00Z"), "Europe/Oslo");
  expect(day("2026-11-23T04:02:00Z", "2026-11-29T07:40:00Z")).toBe("Sun 29 Nov 2026, CET");
  expect(day("2026-11-23T04:02:00Z", "2026-11-23T07:40:00Z")).toBe("CET");
  // Ended before the clocks changed, or while they did.
  expect(day("2026-08-31T16:20:00Z", "2026-09-01T04:47:00Z")).toBe("CEST");
  expect(day("2026-10-24T16:20:00Z", "2026-10-25T04:47:00Z")).toBe("CEST, CET");
});

function wordsOf(incident: Incident) {
  const spoken = spokenEndingOf(incident);
  return {
    label: spoken && ENDING_LABEL[spoken],
    evidence: endedTexts(incident, NOW, "UTC").evidence,
    headline: incidentHeadline(headlineOf(incident), { nowMs: NOW, timeZone: "UTC" }),
  };
}

test("an incident of what rests by its learned week isn't said to be on time", () => {
  expect(wordsOf(ended(true))).toEqual({
    label: "Resting",
    evidence: "resting at this time of the week, as learned; no data received",
    headline:
      "Procore needed attention from 05:37 for 2 h 12 m: resting by its learned week at 07:49",
  });
  expect(wordsOf(ended(false))).toEqual({
    label: "Improved",
    evidence: "no longer behind; no data received",
    headline: "Procore needed attention from 05:37 for 2 h 12 m: no longer behind at 07:49",
  });
});

test("an incident that was received live is claimed no better than its page sees the company", () => {
  const received: IncidentView = {
    ...incidentFixture({ due_at: at("08:00"), next_sync_at: at("11:30") }),
    timeline: [],
    evidence: {
      confidence: "live",
      not_observed_seconds: 0,
      in_trouble: 1,
      with_runs: 1,
      rate_limited: 0,
      elsewhere: { affected: [], unaffected: 0, not_observed: 0 },
      other_partners: { affected: 0, total: 3 },
    },
  };
  const asOf = at("11:00");
  expect(seenFrom(received, { asOf, confidence: "live" })).toEqual(received);
  const delayed = seenFrom(received, { asOf, confidence: "delayed" });
  expect(delayed).toEqual({
    ...received,
    evidence: { ...received.evidence, confidence: "delayed" },
  });
  const blind = seenFrom(received, { asOf, confidence: "blind" });
  expect(blind.evidence.confidence).toBe("blind");
  expect(openTexts(blind, NOW, "UTC")).toMatchObject({
    overdue: "",
    next: "not known",
    seenAt: "at 11:00, can’t tell now",
  });
  expect(incidentHeadline(headlineOf(blind), { nowMs: NOW, timeZone: "UTC" })).toContain(
    "we haven’t been able to see it since 11:00",
  );
});
