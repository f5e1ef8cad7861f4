"use client";

import { createContext, use, useMemo, useState, type ReactNode } from "react";
import type { Result } from "@/components/grid/incident-actions/acknowledge-result";
import { ViewStatusProvider, type ViewStatus } from "@/components/shell/live/view-confidence";
import { usePartner, type ReceivedPartner } from "@/lib/client/queries/partners/partners-query";
import { useAddress } from "@/lib/client/address/use-address";
import { partnerParams } from "./partner-url";
import { pastMonth } from "./words";

/** What the server knows of the page. */
export type PartnerGiven = {
  /** The partner, as its address names it. */
  partner: string;
  /** Names of the companies that the person may see, by slug. */
  names: Readonly<Record<string, string>>;
  /** Null: the server had none. */
  first: ReceivedPartner | null;
  /** Poll rhythm, milliseconds. */
  rhythmMs: number;
  /** The person. `name` null: others have the same. */
  me: { id: string; name: string | null };
  /** Slugs of the companies whose incidents the person may handle. */
  handled: readonly string[];
};

function useReadPartner({ partner, names, first, rhythmMs, me, handled }: PartnerGiven) {
  const [state, setState] = useAddress(partnerParams);
  const read = usePartner(partner, state.at, first, rhythmMs);
  const nameOf = (slug: string) => (Object.hasOwn(names, slug) ? (names[slug] ?? slug) : slug);
  /** What the last act did. */
  const [result, setResult] = useState<Result | null>(null);
  return {
    ...read,
    state,
    setState,
    partner,
    nameOf,
    me,
    customers: Object.keys(names).length,
    handlesAny: !read.isPast && handled.length > 0,
    /** The month of the past instant, whose closed days count; null: the present one. */
    past:
      read.isPast && read.received !== null ? pastMonth(read.received.view.on_time_before) : null,
    mayHandle: (company: string) => read.frozenMs === null && handled.includes(company),
    result,
    setResult,
  };
}

export type PartnerHere = ReturnType<typeof useReadPartner>;

export const HereContext = createContext<PartnerHere | null>(null);

/** Reads a partner at all companies, once for the top bar and the page. */
export function PartnerHereProvider({
  given,
  children,
}: {
  given: PartnerGiven;
  children: ReactNode;
}) {
  const here = useReadPartner(given);
  const { names, partner } = given;
  const { received, isSilent, isOutdated, isBlind, isPast } = here;
  const shown = useMemo(
    (): ViewStatus => ({
      view: received === null ? null : seenOf(received.view, names),
      receivedMs: received?.receivedMs ?? null,
      isSilent,
      isOutdated,
      isBlind,
      isPast,
      partner,
    }),
    [received, names, partner, isSilent, isOutdated, isBlind, isPast],
  );
  return (
    <ViewStatusProvider value={shown}>
      <HereContext value={here}>{children}</HereContext>
    </ViewStatusProvider>
  );
}

function seenOf(
  { as_of: asOf, trouble, onTime }: ReceivedPartner["view"],
  names: PartnerGiven["names"],
): ViewStatus["view"] {
  const unseen = trouble.filter(({ standing }) => standing === "unseen");
  const [first] = unseen;
  return {
    asOf,
    delayed: [...trouble, ...onTime].filter(({ confidence }) => confidence === "delayed").length,
    unseen: unseen.length,
    unseenName: first === undefined ? undefined : (names[first.company] ?? first.company),
  };
}

/** The partner of the page. */
export function usePartnerHere(): PartnerHere {
  const here = use(HereContext);
  if (here === null) throw new Error("PartnerHereProvider is missing above this component");
  return here;
}
