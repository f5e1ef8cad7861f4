"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { SharePage } from "@/components/drill-down/share/share-page";
import { Crumbs } from "@/components/shell/crumbs";
import { useLiveCompany } from "@/components/shell/live-company";
import { Logo } from "@/components/marks/logo";
import { RecordNote } from "@/components/shell/record-note";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { reportCsvPath, reportQuery } from "@/lib/client/queries/report";
import type { ReportView } from "@/lib/contracts/report";
import { monthAfter } from "@/lib/domain/report/month-report";
import { monthAndYear, monthName } from "@/lib/domain/time/calendar-names";
import { CalendarGrounds, FILL } from "./calendar";
import { ReportTable, type MonthBefore } from "./report-table";
import { reportPath } from "./report-url";
import {
  asOfText,
  dayAndYear,
  isAhead,
  promiseCell,
  reportSentences,
  reportTitle,
  shareTexts,
  stateOfMonth,
} from "./sentences";
import { reportStatement, reportSubject } from "./statement";
import {
  apart,
  CSV,
  empty,
  heads,
  noMonth,
  legend,
  MONTH_NAV,
  monthState,
  PAGE,
  PRINT,
  sheet,
} from "./words";

const READING_PX = 240;
/** Maximum number of partners that fit on a sheet. */
const SHEET_ROWS = 40;
/** Maximum number of named partners without a schedule. */
const APART_NAMED = 6;

/**
 * The on-time report of a month, on the screen and on one printed page.
 * @param first server data of the page, without endpoints; null: not available in time
 * @param thisMonth the current month
 * @param printed who prints it, and the day
 */
export function ReportPage({
  month,
  thisMonth,
  first,
  before,
  printed,
}: {
  month: string;
  thisMonth: string;
  first: ReportView | null;
  before: MonthBefore | null;
  printed: { person: string; day: string };
}) {
  const { slug, name } = useLiveCompany();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const isClosed = first?.closed === true;
  const { data, isError } = useQuery({
    ...reportQuery(slug, month, isClosed),
    // A closed month came complete with the page, except for the endpoints.
    enabled: !isClosed || opened.size > 0,
  });
  const report = data ?? first;
  const toggle = useCallback((partnerName: string) => {
    setOpened((before_) => {
      const next = new Set(before_);
      if (!next.delete(partnerName)) next.add(partnerName);
      return next;
    });
  }, []);
  const title = report === null ? monthAndYear(month) : reportTitle(report, name);
  const rows = report?.partners.length ?? 0;
  return (
    <div
      className="report px-6 pb-8 max-sm:px-3.5"
      data-rows={rows > 32 ? "most" : rows > 24 ? "many" : rows > 14 ? "more" : "few"}
    >
      <CalendarGrounds />
      <p className="hidden items-center justify-between gap-6 border-b border-ink pb-3 text-xs/4.5 wrap-anywhere print:flex">
        <span className="inline-flex items-center gap-2">
          <Logo /> <b className="text-[14px]">Plumbline</b>
        </span>
        <span className="text-right">{sheet.subject(name, monthAndYear(month))}</span>
      </p>
      <PageHead
        className="print:mt-5 print:block"
        above={
          <Crumbs
            trail={[
              { label: PAGE, href: null },
              {
                label: monthState(monthAndYear(month), report && stateOfMonth(report)),
                href: null,
              },
            ]}
          />
        }
        title={title}
        actions={
          <>
            <Months slug={slug} month={month} thisMonth={thisMonth} />
            <a className="button-link max-sm:hidden" href={reportCsvPath(slug, month)} download="">
              {CSV}
            </a>
            <Button className="max-sm:hidden" onClick={() => window.print()}>
              {PRINT}
            </Button>
            {report === null ? null : (
              <SharePage
                subject={reportSubject(report, name)}
                // Without a month the address shows the latest one.
                address={() => new URL(reportPath(slug, month), window.location.href).href}
                say={() => reportStatement(report, name)}
              />
            )}
          </>
        }
      />
      {report === null ? (
        <RecordNote state={isError ? "silent" : "reading"} heightPx={READING_PX} />
      ) : (
        <>
          <Summary report={report} slug={slug} />
          {report.partners.length === 0 ? null : (
            <ReportTable
              report={report}
              before={before}
              endpoints={data === undefined ? (isError ? "failed" : "coming") : "there"}
              opened={opened}
              onToggle={toggle}
            />
          )}
          {before === null ? null : (
            <p className="pt-2 text-xs/4.5 text-ink-2 max-[1180px]:hidden print:hidden">
              {heads.changeNote(monthAfter(month, -1))}
            </p>
          )}
          {rows > SHEET_ROWS ? (
            <p className="hidden print:block">{sheet.more(rows - SHEET_ROWS)}</p>
          ) : null}
          <Apart report={report} />
          <Sheet report={report} name={name} printed={printed} />
        </>
      )}
    </div>
  );
}

/** The shown month among its neighbours. */
function Months({ slug, month, thisMonth }: { slug: string; month: string; thisMonth: string }) {
  const last = month >= thisMonth ? month : monthAfter(month, 1);
  return (
    <nav
      aria-label={MONTH_NAV}
      className="inline-flex h-[30px] overflow-hidden rounded border border-control max-sm:h-11 max-sm:w-full"
    >
      {[-2, -1, 0].map((by) => {
        const one = monthAfter(last, by);
        return (
          <Link
            key={one}
            className="flex-1 border-l border-control px-3 text-center leading-7 whitespace-nowrap text-ink-2 first:border-l-0 hover:text-ink aria-[current]:bg-ink aria-[current]:font-medium aria-[current]:text-ink-inverse max-sm:leading-[42px]"
            href={reportPath(slug, one)}
            aria-current={one === month ? "page" : undefined}
            aria-label={monthAndYear(one)}
          >
            {monthName(one)}
          </Link>
        );
      })}
    </nav>
  );
}

const SAID =
  "mt-1 mb-3.5 max-w-[860px] text-md/[23px] wrap-anywhere text-ink-2 max-sm:mt-3 print:text-sm/5";

function Summary({ report, slug }: { report: ReportView; slug: string }) {
  const { total, recorded_from, observed } = report;
  const growing =
    report.history_complete || recorded_from === null
      ? null
      : empty.growing(dayAndYear(recorded_from));
  if (total === null) {
    const isBefore = observed === 0 && recorded_from !== null;
    const isOther = isBefore || isAhead(report);
    return (
      <p className={SAID}>
        {isBefore
          ? (growing ?? empty.before(dayAndYear(recorded_from)))
          : isOther
            ? empty.ahead
            : empty.none}{" "}
        <Link
          href={isOther ? `/${slug}/report` : `/${slug}`}
          className="underline underline-offset-3"
        >
          {isOther ? noMonth.latest : empty.overview}
        </Link>
      </p>
    );
  }
  const texts = shareTexts(total, report.partners);
  const shares = [
    ["fresh", total.on_time, legend.onTime, texts.on_time],
    ["overdue", total.overdue, legend.overdue, texts.overdue],
    ["quiet", total.planned_quiet, legend.plannedQuiet, texts.planned_quiet],
    ["hidden", total.not_observed, legend.notObserved, texts.not_observed],
  ] as const;
  return (
    <>
      <p className={SAID}>
        {reportSentences(report).map((said, at) =>
          typeof said === "string" ? (
            said
          ) : (
            <b key={`${at}`} className="font-medium text-ink">
              {said.strong}
            </b>
          ),
        )}{" "}
        {asOfText(report)} {growing}
      </p>
      <svg
        role="img"
        aria-label={shares.map(([, , word, { said }]) => `${said} ${word}`).join(", ")}
        className="mt-1 block h-3.5 w-full"
      >
        {shares.map(([look, share], at) => {
          const fromPercent = shares.slice(0, at).reduce((sum, [, own]) => sum + own, 0);
          return share === 0 ? null : (
            <rect
              key={look}
              className={FILL[look]}
              x={`${fromPercent}%`}
              y={look === "fresh" ? 11 : 0}
              width={`${Math.max(share - 0.1, 0.1)}%`}
              height={look === "fresh" ? 3 : 14}
            />
          );
        })}
      </svg>
      <p className="mt-1.5 mb-4 flex flex-wrap gap-x-[22px] gap-y-1 text-xs/4.5 text-ink-2">
        {shares.map(([look, , word, { said }]) => (
          <span key={look} className="inline-flex items-center gap-1.5">
            <svg width="12" height="10" aria-hidden="true">
              <rect
                className={FILL[look]}
                y={look === "fresh" ? 3.5 : 0}
                width="12"
                height={look === "fresh" ? 3 : 10}
              />
            </svg>
            <b className="font-strong text-ink">{said}</b> {word}
          </span>
        ))}
        <span className="ml-auto text-ink-3 max-sm:ml-0 max-sm:w-full">{legend.sum}</span>
      </p>
    </>
  );
}

/** " (9 of 10 kept, 1 missed)"; nothing without a promise. */
function KeptAside({ counts }: { counts: ReportView["apart"][number]["promises"] }) {
  const cell = promiseCell(counts);
  return cell === null ? null : ` (${cell.said})`;
}

function Apart({ report }: { report: ReportView }) {
  if (report.apart.length === 0) return null;
  return (
    <section className="flex flex-wrap gap-x-7 gap-y-1 pt-3 pb-2 text-xs/4.5 wrap-anywhere text-ink-2 print:hidden">
      <h2 className="font-medium text-ink">{apart.heading}</h2>
      {(["webhook", "paused"] as const).map((kind) => {
        const own = report.apart.filter((one) => one.kind === kind);
        if (own.length === 0) return null;
        return (
          <p key={kind}>
            {apart[kind]}:{" "}
            {own.slice(0, APART_NAMED).map(({ id, partner_name, endpoint_key, promises }, at) => (
              <span key={id}>
                {at === 0 ? "" : ", "}
                <bdi>{partner_name}</bdi> / <bdi className="font-mono">{endpoint_key}</bdi>
                <KeptAside counts={promises} />
              </span>
            ))}
            {own.length > APART_NAMED ? `, ${apart.more(own.length - APART_NAMED)}` : ""}
          </p>
        );
      })}
    </section>
  );
}

/** Printed only. */
function Sheet({
  report,
  name,
  printed,
}: {
  report: ReportView;
  name: string;
  printed: { person: string; day: string };
}) {
  const { partners, time_zone } = report;
  const countOf = (kind: "webhook" | "paused") =>
    report.apart.filter((one) => one.kind === kind).length;
  const notes = [
    [sheet.read.heading, sheet.read.text],
    [sheet.counted.heading, sheet.counted.text],
    ...(partners.length + report.apart.length === 0
      ? []
      : [[sheet.apart.heading, sheet.apart.text(countOf("webhook"), countOf("paused"))]]),
  ];
  return (
    <>
      <div className="report-notes mt-5 hidden grid-cols-3 gap-6 border-t border-line-strong pt-3 text-[12px]/[17px] text-ink-2 print:grid">
        {notes.map(([heading, text]) => (
          <p key={heading}>
            <b className="mb-0.5 block font-strong text-ink">{heading}</b>
            {text}
          </p>
        ))}
      </div>
      <p className="mt-auto hidden justify-between gap-6 border-t border-line-strong pt-2.5 text-2xs/[15px] wrap-anywhere text-ink-3 print:flex">
        <span>{sheet.foot(name, report.endpoint_count, partners.length, time_zone)}</span>
        <span>
          {report.closed_on === null ? null : `${sheet.closed(dayAndYear(report.closed_on))} `}
          {sheet.printed(printed.person, printed.day)}
        </span>
      </p>
    </>
  );
}
