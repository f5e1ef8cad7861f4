import type { Incident, IncidentCounts } from "@/lib/contracts/incidents";
import { count, counted } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { isUnknown } from "./incident-text";
import type { Shown } from "./incidents-url";
import { listWords, unseenText } from "./words";

/**
 * The list of incidents as one sentence: "2 of 5 open incidents at 2 customers, 1 unacknowledged, worst Procore at
 * Northgate Builders (failing); we can’t see Tarn Airports right now".
 * @param given.shown what is listed, of the open ones
 * @param given.listed those from which it was chosen, worst first; `counts.open` may be more
 * @param given.ended number of ended ones that are listed; null: not known
 * @param given.unseen names of companies that may have more
 * @param given.withCompany whether it is about several companies
 */
export function incidentsSentence(
  show: Shown,
  {
    shown,
    listed,
    counts,
    isFiltered,
    ended,
    unseen,
    withCompany,
  }: {
    shown: readonly Incident[];
    listed: readonly Incident[];
    counts: Pick<IncidentCounts, "open">;
    isFiltered: boolean;
    ended: number | null;
    unseen: readonly string[];
    withCompany: boolean;
  },
): string {
  const { open } = counts;
  const beyond = unseen.length === 0 ? "" : `; we ${unseenText(unseen)}`;
  if (show === "ended")
    return `${ended === null ? "" : `${counted(ended, "incident")} ended; `}${count(open)} open${beyond}`;
  if (shown.length === 0) {
    const known = unseen.length === 0 ? "" : " that we know of";
    const none = isFiltered && open > 0 ? `none of ${counted(open, "open incident")}` : null;
    return `${none ?? `no open incidents${known}`}${beyond}`;
  }
  const isWhole = open <= listed.length;
  const amount = !isFiltered ? open : shown.length;
  const of = isFiltered ? `${isWhole ? "" : "at least "}${count(amount)} of ` : "";
  const customers = new Set(shown.map(({ company }) => company.slug)).size;
  const unacknowledged = shown.filter(({ acknowledged }) => acknowledged === null).length;
  const parts = [
    `${of}${counted(open, "open incident")}${withCompany && customers > 1 ? ` at ${count(customers)} customers` : ""}`,
    unacknowledged === 0 || show === "unacknowledged" || !isWhole
      ? ""
      : `${count(unacknowledged)} unacknowledged`,
    worstText(shown, listed, withCompany),
  ];
  return `${parts.filter(Boolean).join(", ")}${beyond}`;
}

function worstText(
  shown: readonly Incident[],
  listed: readonly Incident[],
  withCompany: boolean,
): string {
  const worst = listed.find((one) => shown.includes(one));
  if (worst === undefined) return "";
  const { partner_name: partner, company, verdict } = worst;
  const state =
    verdict !== null
      ? VERDICT_LABEL[verdict]
      : isUnknown(worst)
        ? listWords.cannotTell
        : listWords.calm;
  const where = withCompany ? `${partner} at ${company.name}` : partner;
  return `${shown.length === 1 ? "" : "worst "}${where} (${state.toLowerCase()})`;
}
