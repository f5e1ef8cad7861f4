import { count, counted } from "@/lib/domain/words/format";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";

export const ALL_COMPANIES = "All companies";

export const noCompanies = {
  title: "No companies yet",
  sentence:
    "You have no access to any company, or none is connected. An administrator can change that.",
};

/** @param unchecked companies whose endpoints nobody has counted yet */
export function summary(companies: number, endpoints: number, unchecked: number): string {
  const all = companies === 1 ? "1 company" : `${count(companies)} companies`;
  if (unchecked === companies) return `${all}, not checked yet`;
  const known = `${all}, ${counted(endpoints, "endpoint")}`;
  return unchecked === 0 ? known : `${known}; ${count(unchecked)} not checked yet`;
}

export const listHead = {
  label: "Companies, worst first",
  company: "Company",
  attention: "Needs attention",
  verdicts: "All endpoints by verdict",
  endpoints: "Endpoints",
  incidents: "Incidents",
  confidence: "Confidence",
};

export const companyWords = {
  notKnown: "not known",
  was: "was",
  none: "none",
  /** Follows the number, for those who do not see the head. */
  endpoints: "endpoints",
  unacknowledged: (amount: number) => `${count(amount)} unacknowledged`,
  of: (amount: number) => `of ${count(amount)}`,
  acknowledged: (amount: number) => `${count(amount)} acknowledged`,
  noCheck: "No complete check yet",
  blindSince: (moment: string) => `${CONFIDENCE_LABEL.blind} since ${moment}`,
  behind: (label: string, by: string) => `${label}, ${by} behind`,
};
