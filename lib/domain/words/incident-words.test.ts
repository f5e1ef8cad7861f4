import { describe, expect, test } from "vitest";
import { MEMBER_ENDINGS } from "@/lib/domain/incidents/incident";
import { ENDING_LABEL, eventText, MEMBER_ENDING, type EventFacts } from "./incident-words";

const keyOf = (id: string) => `key_${id}`;
const textOf = (event: Partial<EventFacts>) =>
  eventText(
    { kind: "opened", endpointId: "1", detail: {}, byId: null, text: null, ...event },
    keyOf,
  );

describe("eventText", () => {
  test.each<[string, Partial<EventFacts>]>([
    ["key_1 is late: incident opened", { kind: "opened", detail: { to: "late" } }],
    ["key_1 is stale too", { kind: "joined", detail: { to: "stale" } }],
    [
      "key_1 is late again, before the incident could end",
      { kind: "flapped", detail: { to: "late" } },
    ],
    [
      "Got worse, from late to stale; key_1 is now the worst",
      { kind: "worsened", detail: { from: "late", to: "stale" } },
    ],
    [
      "Improved from failing to late; key_1 is now the worst",
      { kind: "eased", detail: { from: "failing", to: "late" } },
    ],
    [
      "Improved from failing to late, as far as we know; key_1 was the worst at our last check",
      { kind: "eased", detail: { from: "failing", to: "late", isUnseen: true } },
    ],
    ["key_1 recovered: data received", { kind: "left", detail: { ending: "data_received" } }],
    [
      "key_1 recovered: data received at 11:30 UTC on Thu 19 Nov, reported late",
      {
        kind: "left",
        detail: { ending: "data_received", receivedMs: Date.parse("2026-11-19T11:30:00Z") },
      },
    ],
    ["key_1: no longer behind; no data received", { kind: "left", detail: { ending: "eased" } }],
    [
      "key_1 was paused at the source; no data received",
      { kind: "left", detail: { ending: "paused" } },
    ],
    [
      "Incident ended: recovered",
      { kind: "ended", endpointId: null, detail: { ending: "recovered" } },
    ],
    [
      "Incident ended: its feeds cleared for different reasons",
      { kind: "ended", endpointId: null, detail: { ending: "mixed" } },
    ],
    [
      "Unacknowledged now: Tom can’t handle incidents here any more",
      {
        kind: "unacknowledged",
        endpointId: null,
        detail: { barred: { id: "t", name: "Tom" } },
      },
    ],
    [
      "The administrators own it now: Tom can’t handle incidents here any more",
      {
        kind: "owned",
        endpointId: null,
        detail: { owner: null, barred: { id: "t", name: "Tom" } },
      },
    ],
    ["We lost sight of it here", { kind: "blind", endpointId: null }],
    [
      "We can see it again; nothing had changed",
      { kind: "seen_again", endpointId: null, detail: { changes: [] } },
    ],
    [
      "We can see it again. key_2 is late too. Incident ended: recovered",
      {
        kind: "seen_again",
        endpointId: null,
        detail: {
          changes: [
            { kind: "joined", endpointId: "2", to: "late" },
            { kind: "ended", ending: "recovered" },
          ],
        },
      },
    ],
  ])("%s", (sentence, event) => {
    expect(textOf(event)).toBe(sentence);
  });

  test.each<[string | null, Partial<EventFacts>]>([
    [null, { kind: "acknowledged" }],
    ["Asked them.", { kind: "acknowledged", text: "Asked them." }],
    ["took it over", { kind: "owned", detail: { owner: { id: "a", name: "Ana" } } }],
    [
      "took it over from Tom",
      {
        kind: "owned",
        detail: { owner: { id: "a", name: "Ana" }, previous_owner: { id: "t", name: "Tom" } },
      },
    ],
    ["handed it to Tom", { kind: "owned", detail: { owner: { id: "t", name: "Tom" } } }],
    [
      "handed it from Tom to the administrators",
      { kind: "owned", detail: { owner: null, previous_owner: { id: "t", name: "Tom" } } },
    ],
  ])("describes an action of a person: %s", (words, event) => {
    expect(textOf({ byId: "a", endpointId: null, ...event })).toBe(words);
  });

  test("says of what rests by its learned week that it does", () => {
    const detail = { ending: "eased", isResting: true };
    expect(textOf({ kind: "left", detail })).toBe(
      "key_1 rests at this time of the week, as learned; no data received",
    );
    expect(textOf({ kind: "ended", detail })).toBe(
      "Incident ended: resting at this time of the week, as learned, no data received",
    );
  });

  test("calls only received data and a completed run recovered", () => {
    for (const ending of MEMBER_ENDINGS) {
      const isRecovery = ending === "data_received" || ending === "run_completed";
      expect(textOf({ kind: "left", detail: { ending } })?.includes("recovered")).toBe(isRecovery);
      expect(MEMBER_ENDING[ending].includes("no data received")).toBe(
        !isRecovery && ending !== "became_webhook",
      );
    }
    for (const [ending, label] of Object.entries(ENDING_LABEL))
      expect(label === "Recovered").toBe(ending === "recovered");
  });
});
