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

/** A link to the partner's page of all customers. @param customers that have it; fewer than 2: not known */
export const atAllCustomers = (partner: string, customers: number) =>
  `${partner} at ${customers < 2 ? "all" : allOf(customers)} customers`;
