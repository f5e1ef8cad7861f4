"use client";

import type { ReactNode } from "react";
import { Pager } from "@/components/list/pager";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { ROLLING_WINDOW } from "@/components/charts/words";
import { useZone } from "@/components/shell/time/zone";
import type { ApiCallsView } from "@/lib/contracts/history";
import { allowedPerDay } from "@/lib/domain/calls/allowance";
import { NOT_KNOWN, count } from "@/lib/domain/words/format";
import { CallsBar } from "./calls-bar";
import { keyOf, type LinkProps } from "./link-props";
import { SmallLine } from "./small-line";
import { pagesOf, type PartnerUsage, type Usage } from "./usage";
import {
  HIGH_SHARE,
  NO_ALLOWANCE,
  allowanceAct,
  allowanceSentence,
  byPartner,
  enteredText,
  heads,
  ofAllowance,
  partnerPager,
  rateLimitedText,
  shareText,
} from "./words";

/** From this share of its runs, rate limiting stands out. */
const OFTEN_LIMITED = 0.1;

type Week = Pick<ApiCallsView, "partners" | "small_lines">;

/**
 * The partners in one row each: bar, past week, allowance and rate-limited runs.
 * @param week runs and small lines; undefined: not loaded
 * @param unread shown in their place meanwhile
 * @param areAllowancesKnown false: they couldn't be read
 * @param onAllowance opens a partner's editor; null: the person can't change allowances
 */
export function PartnerTable({
  usage: { partners, partnerCount, scale },
  page,
  onPage,
  chosen,
  week,
  unread,
  areAllowancesKnown,
  linkTo,
  onAllowance,
}: {
  usage: Usage;
  page: number;
  onPage: (page: number) => void;
  chosen: string;
  week: Week | undefined;
  unread: string;
  areAllowancesKnown: boolean;
  linkTo: (partner: string) => LinkProps;
  onAllowance: ((partner: string) => void) | null;
}) {
  const { isInteracting, handlers } = useInteracting();
  // Ranks change with new data, but not under a pointer or focus.
  const order = useFrozenOrder(
    partners,
    keyOf(partners.map(({ partner }) => partner)),
    isInteracting,
  );
  const byName = new Map(partners.map((own) => [own.partner, own]));
  const runs = new Map(week?.partners.map((own) => [own.partner_name, own.runs]));
  const lines = new Map(week?.small_lines?.partners.map((own) => [own.partner_name, own]));
  const at = week?.small_lines?.at ?? [];
  return (
    <div {...handlers} className="calls-partners">
      <table className="calls-table is-partners">
        <caption className="sr-only">{byPartner.label}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{heads.rank}</span>
            </th>
            <th scope="col">{heads.partner}</th>
            <th scope="col">
              <span>{ROLLING_WINDOW}</span>
            </th>
            <th scope="col">{heads.week}</th>
            <th scope="col" className="is-number">
              {heads.calls}
            </th>
            <th scope="col">{heads.allowance}</th>
            <th scope="col" className="is-number">
              {heads.share}
            </th>
            <th scope="col" className="is-number">
              {heads.rateLimited}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.map(({ partner }, index) => {
            const own = byName.get(partner);
            if (own === undefined) return null;
            const { calls, allowance, share, missingCount } = own;
            const allowed = allowance === null ? null : allowedPerDay(allowance);
            const line = lines.get(partner);
            const isChosen = partner === chosen;
            return (
              <tr key={partner} data-chosen={isChosen ? "" : undefined}>
                <td className="is-rank">{(partners[0]?.rank ?? 1) + index}</td>
                <th scope="row">
                  <a
                    {...linkTo(partner)}
                    aria-current={isChosen ? "true" : undefined}
                    title={partner}
                  >
                    <bdi>{partner}</bdi>
                  </a>
                </th>
                <td className="is-bar">
                  <CallsBar calls={calls} scale={scale} allowed={allowed} />
                </td>
                <td className="is-week">
                  {line === undefined ? null : (
                    <SmallLine
                      at={at}
                      values={line.values}
                      before={line.week_before}
                      allowed={allowed}
                    />
                  )}
                </td>
                <td className="is-number is-calls">{count(calls)}</td>
                <td className="is-allowance">
                  <AllowanceCell
                    own={own}
                    isKnown={areAllowancesKnown}
                    onPress={onAllowance === null ? null : () => onAllowance(partner)}
                  />
                </td>
                <td className={`is-number is-share ${(share ?? 0) >= HIGH_SHARE ? "is-high" : ""}`}>
                  {share === null ? "" : shareText(share, missingCount > 0)}
                </td>
                <RunsCell runs={runs.get(partner)} unread={unread} />
              </tr>
            );
          })}
        </tbody>
      </table>
      {partners.length === 0 ? <p className="mt-3 text-ink-2">{byPartner.noPage}</p> : null}
      {partnerCount > partners.length ? (
        <Pager
          words={partnerPager}
          page={page}
          pages={pagesOf(partnerCount)}
          total={partnerCount}
          onPage={onPage}
        />
      ) : null}
    </div>
  );
}

function AllowanceCell({
  own: { allowance },
  isKnown,
  onPress,
}: {
  own: PartnerUsage;
  isKnown: boolean;
  /** Null: the person can't change it. */
  onPress: (() => void) | null;
}) {
  const timeZone = useZone();
  if (!isKnown) return <span className="is-none">{NOT_KNOWN}</span>;
  const text: ReactNode =
    allowance === null ? (
      <span className="is-none">{NO_ALLOWANCE}</span>
    ) : (
      <>
        {ofAllowance(allowance)} <em>{enteredText(allowance, timeZone)}</em>
      </>
    );
  const title = allowance === null ? undefined : allowanceSentence(allowance, timeZone);
  if (onPress === null) return <span title={title}>{text}</span>;
  return (
    <button type="button" aria-haspopup="dialog" title={title} onClick={onPress}>
      {text}
      <span className="sr-only">{allowanceAct.ofRow(allowance !== null)}</span>
    </button>
  );
}

function RunsCell({
  runs,
  unread,
}: {
  runs: Week["partners"][number]["runs"] | undefined;
  unread: string;
}) {
  const share = runs === undefined || runs.started === 0 ? 0 : runs.rate_limited / runs.started;
  const look = share >= OFTEN_LIMITED ? "is-high" : share === 0 ? "is-none" : "";
  return (
    <td className={`is-number is-runs ${look}`} data-label={heads.rateLimited}>
      {runs === undefined ? unread : rateLimitedText(runs)}
    </td>
  );
}
