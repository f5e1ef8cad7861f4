"use client";

import { LeadSentence } from "@/components/list/lead-sentence";
import { useTabTitle } from "@/components/shell/use-tab-title";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { CRUMBS, PARTNERS } from "@/components/shell/words";
import { useNow } from "@/lib/client/use-now";
import type { PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { earliest } from "@/lib/domain/partners/partner-at-company";
import { instantMs } from "@/lib/domain/time/instant";
import { atMoment } from "@/lib/domain/words/dates";
import { moment } from "@/lib/domain/words/format";
import type { ReactNode } from "react";
import { usePartnerHere } from "./partner-here";
import type { Shown } from "./partner-url";
import { leadParts, tabTitle } from "./words";

/** Where the page is, and the sentence, whose parts narrow the page. @param children actions */
export function PartnerLead({ view, children }: { view: PartnerShown; children: ReactNode }) {
  const { customers, frozenMs, state, setState, isOld } = usePartnerHere();
  const timeZone = useZone();
  const name = view.partner_name;
  const offsets = view.api_clock_offsets;
  const sinceMs = earliest(
    view.trouble.map(({ since, company }) => {
      const ms = instantMs(since);
      return ms === null ? null : ms - (offsets[company] ?? 0);
    }),
  );
  const since = useNow((nowMs) => (sinceMs === null ? null : moment(sinceMs, nowMs, timeZone)));
  const was = useNow((nowMs) => (frozenMs === null ? null : atMoment(frozenMs, nowMs, timeZone)));
  useTabTitle(tabTitle(name, view.counts, was));
  const narrow = (show: Shown) => ({
    isPressed: state.show === show,
    run: () => setState({ show: state.show === show ? null : show }),
  });
  return (
    <header className="pe-lead">
      <div className="min-w-0">
        <nav aria-label={CRUMBS} className="text-xs text-ink-2">
          <ol className="flex gap-1.5">
            <li>
              <Link href="/partners" className="hover:text-ink hover:underline">
                {PARTNERS}
              </Link>
            </li>
            <li className="flex min-w-0 gap-1.5">
              <span aria-hidden="true" className="text-ink-3">
                /
              </span>
              <span aria-current="page" className="truncate" dir="auto">
                {name}
              </span>
            </li>
          </ol>
        </nav>
        <h1 aria-busy={isOld}>
          <LeadSentence
            parts={leadParts(name, view.counts, {
              customers,
              since,
              was,
              unknownFeeds: view.unknownFeeds,
            })}
            does={{
              behind: narrow("behind"),
              on_time: narrow("on_time"),
              unseen: narrow("unseen"),
            }}
          />
        </h1>
      </div>
      <div className="pe-acts">{children}</div>
    </header>
  );
}
