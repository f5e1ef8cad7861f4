import { allOf } from "@/lib/domain/words/format";

export const firstCheck = {
  title: "First check in progress",
  sentence: (partner: string) => `${partner} appears here after the first full check.`,
};

export const notListed = {
  title: (partner: string) => `${partner} is no longer listed`,
  sentence: (company: string) => `${company} no longer has any feeds for this partner.`,
};

/** Below the headline. */
export const headline = {
  frozen: "We don’t know what’s happened since then.",
};

export const nextHour = {
  heading: "Next hour",
  blind: "The schedule isn’t known while we can’t check.",
  label: "Syncs scheduled in the next hour",
  now: "now",
  sync: (endpointKey: string, at: string) => `${endpointKey} at ${at}`,
  none: "No scheduled syncs in the next hour.",
};

export const freshness = {
  heading: (past: string) => `Freshness, ${past}`,
  note: "Data age against cadence. The line marks when data was due; anything above it is overdue.",
  /** @param landings, overdue and gaps: number of each */
  label: (
    endpointKey: string,
    cadence: string,
    { landings, overdue, gaps }: { landings: number; overdue: number; gaps: number },
  ) =>
    `${endpointKey}: data age against a cadence of ${cadence}. ${received(landings)}, ${overdue === 0 ? "never overdue" : `overdue ${times(overdue)}`}${gaps === 0 ? "" : `, ${gaps} ${gaps === 1 ? "gap" : "gaps"} not checked`}.`,
  /** Without a due time there is no line to draw age against. */
  noLine: (landings: number, status: string) => `${received(landings)}; ${noLineReason(status)}`,
};

function noLineReason(status: string): string {
  if (status === "inactive") return "inactive at the source, no data expected";
  return status === "webhook" ? "event-driven, no cadence" : "no cadence known";
}

function received(landings: number): string {
  return landings === 0 ? "No data received" : `Data received ${times(landings)}`;
}

function times(amount: number): string {
  return amount === 1 ? "once" : `${amount} times`;
}

// An unknown address.

const MAYBE = "It may have been renamed or removed, or the link may be incomplete.";

/** @param wanted null: the address names no partner at all */
export function noPartner(wanted: string | null, companyName: string) {
  return {
    title: wanted === null ? "No such partner" : `No partner “${wanted}”`,
    text: `${companyName} has no such partner. ${MAYBE}`,
    lead: "Did you mean:",
    end: "?",
  };
}

export function noEndpoint(partner: string) {
  return {
    title: `${partner} has no such feed`,
    text: MAYBE,
    lead: "Did you mean:",
    end: "?",
  };
}

export function severalEndpoints(partner: string, wanted: string, amount: number) {
  return {
    title: `${partner} has ${amount} feeds named “${wanted}”`,
    text: "Their IDs differ.",
    lead: "Choose one:",
    end: ".",
  };
}

/** A link to the partner's page of all customers. @param customers that have it; fewer than 2: not known */
export const atAllCustomers = (partner: string, customers: number) =>
  `${partner} at ${customers < 2 ? "all" : allOf(customers)} customers`;
