"use client";

import { companyDate, fleetDate, silentDate } from "@/components/shell/chat-statement";
import { useFleet } from "@/components/shell/live/fleet-context";
import { useLiveCompany } from "@/components/shell/live-company";
import { popupButton } from "@/components/ui/popup-button";
import { SHARE } from "@/components/drill-down/words";
import type { PageStatement } from "./page-share";
import { shareFace } from "./share-face";

const Share = popupButton<PageStatement>("dialog", () => import("./page-share"));

/**
 * *Share* in the head of a page that can't show a past moment, or of a part of one.
 * @param of what is shared, where that isn't the page
 */
export function SharePage({
  of = null,
  className,
  ...statement
}: PageStatement & { of?: string | null; className?: string }) {
  const named = of === null ? {} : { label: `${SHARE} ${of}` };
  return <Share {...shareFace(className, of)} {...named} {...statement} />;
}

type Listed = Omit<Parameters<typeof SharePage>[0], "subject"> & {
  /** Name of the page; `say` is without its date. */
  page: string;
  filters?: readonly string[];
  /** Since when the list hasn't been updated, epoch milliseconds on the server's clock; null: it is current. */
  silentMs?: number | null;
};

/** Same for a page of one company, with the date of what is known of it. */
export function ShareCompanyPage({ page, filters, say, silentMs = null, ...rest }: Listed) {
  const { name, asOf, source } = useLiveCompany();
  return (
    <SharePage
      {...rest}
      subject={subjectOf(page, name, filters)}
      say={(said) =>
        `${say(said)}, ${silentMs === null ? companyDate({ as_of: asOf, source }, said) : silentDate(silentMs, said)}`
      }
    />
  );
}

/** Same for a page of all companies. */
export function ShareFleetPage({ page, filters, say, silentMs = null, ...rest }: Listed) {
  const { companies } = useFleet();
  return (
    <SharePage
      {...rest}
      subject={subjectOf(page, null, filters)}
      say={(said) =>
        `${say(said)}, ${silentMs === null ? fleetDate(companies, said) : silentDate(silentMs, said)}`
      }
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
