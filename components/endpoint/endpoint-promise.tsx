"use client";

import { useQuery } from "@tanstack/react-query";
import { PromiseMark } from "@/components/marks/promise-mark";
import { usePromiseText } from "@/components/marks/use-promise-text";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { keptQuery, promisesOfQuery } from "@/lib/client/queries/promises";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { RowPromise } from "@/lib/contracts/row-promise";
import { addKept } from "@/lib/domain/deadlines/kept";
import { promisesAddress } from "@/lib/domain/deadlines/promise-tally";
import { monthName } from "@/lib/domain/time/calendar-names";
import { dayOf } from "@/lib/domain/time/day";
import { zoneTimeText } from "@/lib/domain/time/zone-name";
import { asideText, keptText } from "@/lib/domain/words/deadlines/kept-text";
import { promisedText } from "@/lib/domain/words/deadlines/promise-days";
import { promiseSentence } from "@/lib/domain/words/deadlines/promise-text";
import { PROMISE_HEIGHT } from "./promise-height";
import { promised as words } from "./words";

/** The endpoint's promise: how it stands, what it is, and how it was kept this month. Default export for `lazyPart`. */
export default function EndpointPromise({
  row,
  promise,
}: {
  row: SyncStatusRow;
  promise: RowPromise;
}) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const text = usePromiseText(promise, row.status);
  const month = useNow((nowMs) => dayOf(nowMs, timeZone).slice(0, 7));
  const { data: promises } = useQuery(promisesOfQuery(slug, row.id));
  const { data: kept } = useQuery(keptQuery(slug, month, row.id));
  const rule = promises?.find(({ id }) => id === promise.id);
  const own = kept?.data ?? [];
  const counts = addKept(own);
  return (
    <section className={`panel ${PROMISE_HEIGHT}`} aria-labelledby="promise">
      <header>
        <h2 id="promise">{words.heading}</h2>
        <p>
          <Link
            href={promisesAddress(slug)}
            className="underline decoration-control underline-offset-3 hover:text-ink"
          >
            {words.all}
          </Link>
        </p>
      </header>
      <p className="flex items-baseline gap-[7px]">
        <PromiseMark state={text.state} />
        <span>{promiseSentence(text)}</span>
      </p>
      <p className="min-h-4.5 text-xs/4.5 text-ink-2">
        {rule === undefined ? null : words.rule(promisedText(rule), zoneTimeText(rule.time_zone))}
      </p>
      <p className="min-h-4.5 text-xs/4.5 text-ink-2">
        {own.length === 0
          ? null
          : words.month(monthName(month), `${keptText(counts)}${asideText(counts)}`)}
      </p>
    </section>
  );
}
