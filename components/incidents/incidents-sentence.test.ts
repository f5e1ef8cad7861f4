import { expect, test } from "vitest";
import { incidentFixture } from "./incident-fixture";
import { incidentsSentence } from "./incidents-sentence";

const PROCORE = incidentFixture();
const BY_ANA = {
  by: "Ana Rask",
  by_id: "6f1a2c1e-0000-4000-8000-000000000000",
  is_you: false,
  at: "2026-11-23T08:10:00Z",
  until: null,
};
const VISTA = incidentFixture({
  id: 2,
  partner_name: "Vista",
  verdict: "late",
  company: { slug: "tarn", name: "Tarn Airports" },
  acknowledged: BY_ANA,
});

type Given = Parameters<typeof incidentsSentence>[1];
const ALL: Given = {
  shown: [VISTA, PROCORE],
  listed: [PROCORE, VISTA],
  counts: { open: 2 },
  isFiltered: false,
  ended: null,
  unseen: [],
  withCompany: true,
};
const say = (given: Partial<Given>, show: Parameters<typeof incidentsSentence>[0] = "open") =>
  incidentsSentence(show, { ...ALL, ...given });

test("says how many are open, where, and which is the worst", () => {
  expect(say({})).toBe(
    "2 open incidents at 2 customers, 1 unacknowledged, worst Procore at Northgate Builders (failing)",
  );
  expect(
    say({ withCompany: false, shown: [PROCORE], listed: [PROCORE], counts: { open: 1 } }),
  ).toBe("1 open incident, 1 unacknowledged, Procore (failing)");
  expect(say({ listed: [{ ...PROCORE, verdict: null }], shown: [] })).toBe("no open incidents");
});

test("says under a filter of how many", () => {
  expect(say({ shown: [VISTA], isFiltered: true }, "late")).toBe(
    "1 of 2 open incidents, Vista at Tarn Airports (late)",
  );
  expect(say({ shown: [], isFiltered: true }, "failing")).toBe("none of 2 open incidents");
  expect(say({ shown: [VISTA], isFiltered: true, counts: { open: 80 } }, "late")).toBe(
    "at least 1 of 80 open incidents, Vista at Tarn Airports (late)",
  );
  expect(say({ ended: 12 }, "ended")).toBe("12 incidents ended; 2 open");
});

test("never says that nothing is open where it can't be known", () => {
  const none = { shown: [], listed: [], counts: { open: 0 } };
  expect(say({ ...none, unseen: ["Tarn Airports"] })).toBe(
    "no open incidents that we know of; we can’t see Tarn Airports right now",
  );
});
