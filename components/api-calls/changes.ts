import { compareText } from "@/lib/domain/text/compare-text";

/** A partner's calls now and before, by endpoint. */
type Readings = {
  partner_name: string;
  endpoints: readonly {
    id: string;
    endpoint_key: string;
    value: number;
    day_ago: number | null;
    week_ago: number | null;
  }[];
};

/** An endpoint whose calls increased or decreased. */
export type CallsChange = {
  id: string;
  partner: string;
  endpointKey: string;
  before: number;
  now: number;
};

/**
 * The endpoints whose 24-hour counts differ most from those a day or a week before, windows that
 * share no call; largest first, up or down alike. Endpoints without an earlier reading are left
 * out.
 * @param most maximum number
 */
export function largestCallsChanges(
  partners: readonly Readings[],
  since: "day" | "week",
  most: number,
): CallsChange[] {
  return partners
    .flatMap(({ partner_name, endpoints }) =>
      endpoints.flatMap((endpoint): CallsChange[] => {
        const before = since === "day" ? endpoint.day_ago : endpoint.week_ago;
        if (before === null || before === endpoint.value) return [];
        const { id, endpoint_key: endpointKey, value: now } = endpoint;
        return [{ id, partner: partner_name, endpointKey, before, now }];
      }),
    )
    .toSorted(
      (a, b) =>
        Math.abs(b.now - b.before) - Math.abs(a.now - a.before) ||
        compareText(a.partner, b.partner) ||
        compareText(a.id, b.id),
    )
    .slice(0, most);
}

/** How many endpoints have a reading from a day or a week before, and how many there are. */
export function comparedFeeds(
  partners: readonly Readings[],
  since: "day" | "week",
): { compared: number; feeds: number } {
  const before = partners.flatMap(({ endpoints }) =>
    endpoints.map(({ day_ago, week_ago }) => (since === "day" ? day_ago : week_ago)),
  );
  return { compared: before.filter((value) => value !== null).length, feeds: before.length };
}

/** "+209", "−642" */
export function differenceText(difference: number, countText: (value: number) => string): string {
  return `${difference < 0 ? "−" : "+"}${countText(Math.abs(difference))}`;
}
