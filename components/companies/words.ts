import { counted } from "@/lib/domain/words/format";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";

export const ALL_COMPANIES = "All companies";

export const noCompanies = {
  title: "No companies yet",
  sentence:
    "You have no access to any company, or none is connected. An administrator can change that.",
};

export function summary(companies: number, endpoints: number): string {
  return `${companies} companies, ${counted(endpoints, "endpoint")}`;
}

export const listHead = {
  label: "Companies, worst first",
  company: "Company",
  attention: "Needs attention",
  verdicts: "All endpoints by verdict",
  endpoints: "Endpoints",
  confidence: "Confidence",
};

export const companyWords = {
  notKnown: "not known",
  was: "was",
  none: "none",
  /** Follows the number, for those who do not see the head. */
  endpoints: "endpoints",
  noCheck: "No complete check yet",
  blindSince: (moment: string) => `${CONFIDENCE_LABEL.blind} since ${moment}`,
  behind: (label: string, by: string) => `${label}, ${by} behind`,
};
