"use client";

import {
  companyDate,
  fleetDate,
  silentDate,
  type StatedAt,
} from "@/components/shell/chat-statement";
import { useFleet } from "@/components/shell/live/fleet-context";
import { useLiveCompany } from "@/components/shell/live-company";
import { popupButton } from "@/components/ui/popup-button";
import { SHARE } from "@/components/drill-down/words";
import type { PageStatement } from "./page-share";
import { shareButtonProps } from "./share-button-props";

const Share = popupButton<PageStatement>("dialog", () => import("./page-share"));

type Shared = PageStatement & {
  /** What is shared, where that isn't the page. */
  of?: string | null;
  className?: string;
  /** The sentence's date, which ends it; omitted: it has its own. */
  date?: (said: StatedAt) => string;
  /** Since when the page hasn't been updated, epoch milliseconds on the server's clock; null: it is current. */
  silentMs?: number | null;
};

/** *Share* in the head of a page that can't show a past moment, or of a part of one. */
export function SharePage({
  of = null,
  className,
  say,
  date,
  silentMs = null,
  ...statement
}: Shared) {
  const named = of === null ? {} : { label: `${SHARE} ${of}` };
  const dateOf = silentMs === null ? date : (said: StatedAt) => silentDate(silentMs, said);
  return (
    <Share
      {...shareButtonProps(className, of)}
      {...named}
      {...statement}
      say={dateOf === undefined ? say : (said) => `${say(said)}, ${dateOf(said)}`}
    />
  );
}

type Listed = Omit<Shared, "subject" | "date"> & {
  /** Name of the page. */
  page: string;
  filters?: readonly string[];
};

/** Same for a page of one company, with the date of what is known of it. */
export function ShareCompanyPage({ page, filters, ...rest }: Listed) {
  const { name, asOf, source } = useLiveCompany();
  return (
    <SharePage
      {...rest}
      subject={subjectOf(page, name, filters)}
      date={(said) => companyDate({ as_of: asOf, source }, said)}
    />
  );
}

/** Same for a page of all companies. */
export function ShareFleetPage({ page, filters, ...rest }: Listed) {
  const { companies } = useFleet();
  return (
    <SharePage
      {...rest}
      subject={subjectOf(page, null, filters)}
      date={(said) => fleetDate(companies, said)}
    />
  );
}

/** "Incidents · Northgate Builders · Failing" @param company name; null: all */
export function subjectOf(
  page: string,
  company: string | null,
  filters: readonly string[] = [],
): string {
  return [page, ...(company === null ? [] : [company]), ...filters].join(" · ");
}
