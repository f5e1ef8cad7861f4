import type { OneOfSeveral, Several } from "@/lib/domain/delivery/several";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** 23 November 2026, 07:22 in Berlin. */
export const SEVERAL_MS = Date.parse("2026-11-23T06:22:00Z");
const NAMES = ["Northgate Builders", "Harbour", "Quarry Stone", "Summit Homes", "Tarn Airports"];

/** A customer in trouble for some minutes. */
export function customer(index: number, more: Partial<OneOfSeveral> = {}): OneOfSeveral {
  return {
    company: `c${index}`,
    name: NAMES[index] ?? `Customer ${index + 1}`,
    incidentId: index + 1,
    verdict: index % 2 === 0 ? "failing" : "stale",
    sinceMs: SEVERAL_MS - (20 - (index % 5)) * MINUTE_MS,
    endedMs: null,
    ending: null,
    isNew: false,
    hasEndedSince: false,
    acknowledgedBy: null,
    ...more,
  };
}

/** @param amount of customers */
export function severalOf(amount: number, more: Partial<Several> = {}): Several {
  return {
    about: { kind: "partner", partner: "Procore", fleetId: "5f0c7a52-3f1e-4a55-9b7e-0d5a3c1b2e4f" },
    tells: "opened",
    all: Array.from({ length: amount }, (_, index) => customer(index)),
    dueMs: SEVERAL_MS,
    writtenMs: SEVERAL_MS,
    timeZone: "Europe/Berlin",
    ...more,
  };
}

/** A customer whose trouble is over. */
export const recovered = (index: number, more: Partial<OneOfSeveral> = {}) =>
  customer(index, {
    verdict: null,
    endedMs: SEVERAL_MS - 2 * MINUTE_MS,
    ending: "recovered",
    hasEndedSince: true,
    ...more,
  });
