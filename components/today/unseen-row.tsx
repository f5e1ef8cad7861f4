"use client";

import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import type { CompanyName } from "@/lib/domain/companies/company-name";
import type { UnjudgedCompany, UnseenCompany } from "@/lib/domain/today/today";
import { atMoment } from "@/lib/domain/words/dates";
import { atQuery, useTodayPage } from "./today-context";
import { SinceCell } from "./trouble-cells";
import { NOT_KNOWN } from "@/lib/domain/words/format";
import { cannotJudgeWords, unseenWords as words } from "./words";

/** A company that we can't see, with what was behind when it was last seen. */
export function UnseenRow({
  unseen: { company, since, reason, behind_then: behind, endpoints },
  place,
}: {
  unseen: UnseenCompany;
  place: number;
}) {
  const { frozenMs, isPast } = useTodayPage();
  const timeZone = useZone();
  const isFrozen = frozenMs !== null;
  const sinceMs = instantMs(since);
  const isUnrecorded = isPast && sinceMs === null;
  const was = useNow((nowMs) =>
    sinceMs === null
      ? words.never(isFrozen)
      : words.behindThen(behind, endpoints, atMoment(sinceMs, frozenMs ?? nowMs, timeZone)),
  );
  const message = isUnrecorded ? words.neverThen : `${words.because(reason, isFrozen)} ${was}`;
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-line={`unseen:${company.slug}`}
      className="today-row today-unseen hatched"
    >
      <span role="cell" className="today-verdict">
        <span className="badge was">
          <ConfidenceIcon confidence="blind" />
          {isUnrecorded ? words.noHistory : words.badge(isFrozen)}
        </span>
      </span>
      <Customer company={company} />
      <span role="cell" className="today-message" title={message}>
        <span>{message}</span>
      </span>
      <span role="cell" className="today-next">
        <span>{NOT_KNOWN}</span>
      </span>
      <SinceCell at={since} />
    </div>
  );
}

/** A company of which no feed can be judged. */
export function CannotJudgeRow({
  unknown: { company, endpoints },
  place,
}: {
  unknown: UnjudgedCompany;
  place: number;
}) {
  const { customers, frozenMs } = useTodayPage();
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-line={`unknown:${company.slug}`}
      className="today-row today-unseen"
    >
      <span role="cell" className="today-verdict">
        <span className="badge was">{cannotJudgeWords.badge}</span>
      </span>
      <Customer company={company} />
      <span role="cell" className="today-message">
        {cannotJudgeWords.sentence(endpoints, customers === null, frozenMs !== null)}
      </span>
    </div>
  );
}

function Customer({ company: { slug, name } }: { company: CompanyName }) {
  const then = atQuery(useTodayPage());
  return (
    <span role="rowheader" className="today-customer">
      <Link data-primary href={`/${slug}${then}`} dir="auto" title={name}>
        {name}
      </Link>
    </span>
  );
}
