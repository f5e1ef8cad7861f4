import type { ReactNode } from "react";
import { count, counted } from "@/lib/domain/words/format";

/** Before the first complete check: the number of calls is unknown. */
export const noCalls = {
  title: "We don’t know the API calls yet",
  /** @param why no check is complete; empty while the first is running */
  sentence: (company: string, why: string) =>
    `${why === "" ? "" : `${why} `}They appear here after the first full check of ${company}.`,
};

export const noEndpoints = {
  title: "No endpoints at the last check",
  sentence: (company: string) =>
    `The source reported no integrations for ${company}. Their API calls appear here once it does.`,
};

/** @param until end of the 24 hours while blind; else null */
export function callsHeading(calls: number, until: string | null): string {
  const when = until === null ? "past 24 hours" : `24 hours to ${until}`;
  return `${count(calls)} API ${calls === 1 ? "call" : "calls"} in the ${when}`;
}

/** @param missing number of endpoints that the check lacked */
export function callsIntro(
  asOf: ReactNode,
  { partners, endpoints, missing }: { partners: number; endpoints: number; missing: number },
): ReactNode {
  return (
    <>
      As of {asOf}: {counted(partners, "partner")}, {counted(endpoints, "endpoint")}. This counts
      requests to partners, not how fresh the data is.
      {missing === 0
        ? ""
        : ` ${missing} more ${missing === 1 ? "was" : "were"} missing from this check and ${missing === 1 ? "isn’t" : "aren’t"} counted.`}
    </>
  );
}

export const rollingWindow = {
  lead: "Rolling 24 h.",
  rest: "Each figure counts the 24 hours before it, so neighbouring figures overlap. You can add them across endpoints, but not across time.",
};

export const byPartner = {
  title: "By partner",
  note: (asOf: ReactNode) => <>count and share as of {asOf}</>,
  label: "API calls by partner, highest first",
};

export const byEndpoint = {
  title: (partner: ReactNode) => <>{partner}, by endpoint</>,
  note: (calls: number, asOf: ReactNode) => (
    <>
      {count(calls)} as of {asOf}
    </>
  ),
  notThere: "This partner isn’t in the latest check.",
  label: "API calls by endpoint, highest first",
};

/** Sync interval of an endpoint. */
export const cadence = {
  webhook: "event-driven",
  paused: "paused",
  every: (span: string) => `every ${span}`,
};

export const DOWNLOAD_CSV = "Download CSV";

/** The company's own line. */
export const COMPANY_LINE = "All partners";
/** Legend of last week's line. */
export const WEEK_BEFORE = "dashed: previous week";
export const weekBeforeText = "The previous week is drawn beneath it.";

export const largestChanges = {
  title: "Largest changes",
  label: "Since",
  options: [
    { value: "day", label: "Since yesterday" },
    { value: "week", label: "Since last week" },
  ],
  note: {
    day: "now against this time yesterday",
    week: "now against this time a week ago",
  },
  heads: { endpoint: "Endpoint", before: "Then", now: "Now", change: "Change" },
  none: "No endpoint’s calls have changed.",
} as const;
