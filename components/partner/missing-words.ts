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
