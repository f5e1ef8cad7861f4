"use client";

import { memo, useDeferredValue, useId, type ReactNode } from "react";
import { RunIcon } from "@/components/marks/run-icon";
import type { ReportEndpoint, ReportPartner, ReportView } from "@/lib/contracts/report";
import type { PromiseCounts } from "@/lib/contracts/row-promise";
import { daysOfMonth, monthAfter } from "@/lib/domain/report/month-report";
import { count } from "@/lib/domain/words/format";
import { Calendar, CalendarHead } from "./calendar";
import {
  changeText,
  fleetSentences,
  longestText,
  partnerSentence,
  promiseCell,
  promisesOf,
  periodText,
  shareTexts,
} from "./sentences";
import { ALL_PARTNERS, heads, NOT_READ, outcomes, READING } from "./words";

/** Shares of the observed time in the previous month, for comparison. */
export type MonthBefore = {
  total: number | null;
  /** `[partner_name, on_time_of_checked]` */
  partners: readonly (readonly [string, number])[];
};

/** A drop of this size is emphasised. */
const FALL_POINTS = 1;

/**
 * Every partner's month, and its endpoints' when expanded.
 * @param endpoints whether the report includes them: the page's first data doesn't
 */
export function ReportTable({
  report,
  before,
  endpoints,
  opened,
  onToggle,
}: {
  report: ReportView;
  before: MonthBefore | null;
  endpoints: "there" | "coming" | "failed";
  opened: ReadonlySet<string>;
  onToggle: (partnerName: string) => void;
}) {
  const { month, partners, total } = report;
  const onTimeBefore = new Map(before?.partners);
  const days = daysOfMonth(month)?.length ?? 0;
  const promises = promisesOf(report);
  return (
    <div
      role="table"
      aria-label={heads.label}
      className={`report-table ${promises === null ? "" : "has-promises"} border border-line-strong bg-surface max-sm:-mx-3.5 max-sm:border-x-0 print:border-0`}
    >
      <div role="rowgroup">
        <div role="row" className="report-row report-head">
          <Head>{heads.partner}</Head>
          <Head lines={heads.onTime} />
          <Head lines={heads.overdue} />
          <Head lines={heads.plannedQuiet} />
          <Head lines={heads.notObserved} />
          <Head lines={heads.change(monthAfter(month, -1))} className="report-change" />
          {promises === null ? null : <Head lines={heads.promises} className="report-promises" />}
          <span role="columnheader">
            <span className="sr-only">{heads.days(days)}</span>
            <CalendarHead month={month} days={days} />
          </span>
          <Head className="report-incidents">{heads.incidents}</Head>
          <Head lines={heads.longest} />
          <Head className="report-runs-head">{heads.runs}</Head>
        </div>
      </div>
      {partners.map((partner) => (
        <PartnerRows
          key={partner.partner_name}
          report={report}
          partner={partner}
          before={onTimeBefore.get(partner.partner_name) ?? null}
          hasPromises={promises !== null}
          isOpen={opened.has(partner.partner_name)}
          endpoints={endpoints}
          onToggle={onToggle}
        />
      ))}
      {total === null ? null : (
        <div role="rowgroup">
          <div role="row" className="report-row report-total">
            <span role="cell">{ALL_PARTNERS}</span>
            <Shares shares={total} of={partners} />
            <Change now={report.headline.on_time_of_checked} before={before?.total ?? null} />
            {promises === null ? null : <Promises counts={promises} />}
            <span role="cell" className="report-month" />
            <span role="cell" className="num report-incidents">
              {incidentsText(partners.map(({ incidents }) => incidents))}
            </span>
            <span role="cell" />
            <Runs runs={sumOf(partners.map(({ runs }) => runs))} />
          </div>
        </div>
      )}
    </div>
  );
}

type PartnerProps = {
  report: ReportView;
  partner: ReportPartner;
  before: number | null;
  /** Any partner has some, so there is a column. */
  hasPromises: boolean;
  isOpen: boolean;
  endpoints: "there" | "coming" | "failed";
  onToggle: (partnerName: string) => void;
};

/** Without what only an expanded partner shows. */
const foldedOf = ({ report, partner, before, hasPromises }: PartnerProps) =>
  JSON.stringify([report.month, before, hasPromises, { ...partner, endpoints: [] }]);

/** Whether both look alike: a month has many shapes, and endpoints arrive later than their partner. */
function looksAlike(a: PartnerProps, b: PartnerProps): boolean {
  if (a.isOpen !== b.isOpen || a.onToggle !== b.onToggle) return false;
  const isSame = a.report === b.report && a.partner === b.partner && a.before === b.before;
  if (!a.isOpen) return isSame || foldedOf(a) === foldedOf(b);
  return isSame && a.endpoints === b.endpoints;
}

const PartnerRows = memo(function PartnerRows({
  report,
  partner,
  before,
  hasPromises,
  isOpen,
  endpoints,
  onToggle,
}: PartnerProps) {
  const id = useId();
  // The press is painted before its rows are.
  const showsEndpoints = useDeferredValue(isOpen);
  return (
    <div role="rowgroup" id={id}>
      <div role="row" className="report-row">
        <span role="cell" className="min-w-0 font-strong">
          <button
            type="button"
            className="flex min-h-6 w-full items-center gap-1.5 text-left max-sm:min-h-[26px]"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => onToggle(partner.partner_name)}
          >
            <svg
              className="shrink-0 text-ink-3 print:hidden"
              width="10"
              height="10"
              viewBox="0 0 16 16"
              aria-hidden="true"
            >
              <path
                d={isOpen ? "M3 6l5 5 5-5" : "M6 3l5 5-5 5"}
                fill="none"
                stroke="currentColor"
                strokeWidth="1.9"
              />
            </svg>
            <bdi className="truncate" title={partner.partner_name}>
              {partner.partner_name}
            </bdi>
          </button>
        </span>
        <Shares shares={partner} of={[partner]} />
        <Change now={partner.on_time_of_checked} before={before} />
        {hasPromises ? <Promises counts={partner.promises} /> : null}
        <Month days={partner.days} month={report.month} />
        <span role="cell" className="num report-incidents">
          {partner.incidents === null || partner.incidents === 0 ? "" : count(partner.incidents)}
        </span>
        <span role="cell" className="num" title={periodText(partner)}>
          {longestText(partner.longest_overdue_seconds)}
        </span>
        <Runs runs={partner.runs} />
      </div>
      {showsEndpoints ? (
        <Endpoints
          report={report}
          partner={partner}
          hasPromises={hasPromises}
          endpoints={endpoints}
        />
      ) : null}
    </div>
  );
}, looksAlike);

const SAID =
  "border-t border-line bg-bg pt-1.5 pr-3 pb-[7px] pl-[30px] text-xs text-ink-2 print:hidden";

function Endpoints({
  report,
  partner,
  hasPromises,
  endpoints,
}: {
  report: ReportView;
  partner: ReportPartner;
  hasPromises: boolean;
  endpoints: "there" | "coming" | "failed";
}) {
  return (
    <>
      <div role="row" className={SAID}>
        <span role="cell">{partnerSentence(partner, report)}</span>
      </div>
      {fleetSentences(partner, report.time_zone).map((sentence, at) => (
        <div key={partner.fleet_incidents[at]?.id} role="row" className={SAID}>
          <span role="cell">{sentence}</span>
        </div>
      ))}
      {endpoints === "there" ? (
        partner.endpoints.map((endpoint) => (
          <EndpointRow
            key={endpoint.id}
            endpoint={endpoint}
            month={report.month}
            hasPromises={hasPromises}
          />
        ))
      ) : (
        <div role="row" className={SAID}>
          <span role="cell">
            <span role="status">{endpoints === "coming" ? READING : NOT_READ}</span>
          </span>
        </div>
      )}
    </>
  );
}

function EndpointRow({
  endpoint,
  month,
  hasPromises,
}: {
  endpoint: ReportEndpoint;
  month: string;
  hasPromises: boolean;
}) {
  return (
    <div role="row" className="report-row report-endpoint">
      <span role="rowheader" className="font-mono">
        <bdi title={endpoint.endpoint_key}>{endpoint.endpoint_key}</bdi>
      </span>
      <Shares shares={endpoint} of={[endpoint]} />
      <span role="cell" className="report-change" />
      {hasPromises ? <Promises counts={endpoint.promises} /> : null}
      <Month days={endpoint.days} month={month} />
      <span role="cell" className="report-incidents" />
      <span role="cell" className="num" title={periodText(endpoint)}>
        {longestText(endpoint.longest_overdue_seconds)}
      </span>
      <Runs runs={endpoint.runs} />
    </div>
  );
}

function Head({
  lines,
  className = "",
  children,
}: {
  lines?: readonly string[];
  className?: string;
  children?: ReactNode;
}) {
  const isNumber = lines !== undefined || className !== "";
  return (
    <span role="columnheader" className={`${isNumber ? "num" : ""} ${className}`}>
      {lines?.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
      {children}
    </span>
  );
}

function Shares({
  shares,
  of,
}: {
  shares: Parameters<typeof shareTexts>[0];
  of: Parameters<typeof shareTexts>[1];
}) {
  const { on_time, overdue, planned_quiet, not_observed } = shareTexts(shares, of);
  const others = [
    ["overdue", overdue],
    ["quiet", planned_quiet],
    ["hidden", not_observed],
  ] as const;
  return (
    <>
      <span role="cell" className="num report-on-time">
        {on_time.cell}
      </span>
      {others.map(([what, { cell, isNone }]) => (
        <span key={what} role="cell" className={`num report-share ${isNone ? "is-zero" : ""}`}>
          {cell}
        </span>
      ))}
      <span aria-hidden="true" className="report-phone">
        {overdue.cell} overdue, {planned_quiet.cell} planned quiet, {not_observed.cell} not checked
      </span>
    </>
  );
}

function Change({ now, before }: { now: number | null; before: number | null }) {
  const points = now === null || before === null ? null : Math.round((now - before) * 10) / 10;
  return (
    <span
      role="cell"
      className={`num report-change ${points !== null && points <= -FALL_POINTS ? "is-fall" : ""}`}
    >
      {points === null ? "" : changeText(points)}
    </span>
  );
}

/** Days of promises kept, and in words also the others. */
function Promises({ counts }: { counts: PromiseCounts | null }) {
  const cell = promiseCell(counts);
  return (
    <span role="cell" className="num report-promises" title={cell?.said}>
      <span aria-hidden="true">{cell?.text}</span>
      <span className="sr-only">{cell?.said}</span>
    </span>
  );
}

function Month({ days, month }: Pick<ReportPartner, "days"> & { month: string }) {
  return (
    <span role="cell" className="report-month">
      <Calendar month={month} days={days} />
    </span>
  );
}

function Runs({ runs }: { runs: ReportPartner["runs"] }) {
  return (
    <span
      role="cell"
      className="report-runs flex items-center justify-end gap-2.5 text-xs/4.5 font-normal text-ink-2"
    >
      {(["completed", "failed", "timed_out", "rate_limited"] as const).map((outcome) =>
        runs[outcome] === 0 ? null : (
          <span
            key={outcome}
            className="inline-flex items-center gap-[3px]"
            title={`${count(runs[outcome])} ${outcomes[outcome]}`}
          >
            <RunIcon outcome={outcome} />
            {count(runs[outcome])}
            <span className="sr-only"> {outcomes[outcome]}</span>
          </span>
        ),
      )}
    </span>
  );
}

function incidentsText(counts: readonly (number | null)[]): string {
  const known = counts.filter((own) => own !== null);
  if (known.length < counts.length || known.length === 0) return "";
  return count(known.reduce((sum, own) => sum + own, 0));
}

function sumOf(all: readonly ReportPartner["runs"][]): ReportPartner["runs"] {
  const sum = { completed: 0, failed: 0, timed_out: 0, rate_limited: 0 };
  for (const runs of all) {
    sum.completed += runs.completed;
    sum.failed += runs.failed;
    sum.timed_out += runs.timed_out;
    sum.rate_limited += runs.rate_limited;
  }
  return sum;
}
