"use client";

import { NextOfFeeds } from "@/components/shell/live/next-of-feeds";
import { PromiseMark } from "@/components/marks/promise-mark";
import { DataTable } from "@/components/resource/data-table";
import { RowActions } from "@/components/resource/row-actions";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Unbroken } from "@/components/ui/unbroken";
import { useNow, useServerClock } from "@/lib/client/use-now";
import { isBelowTarget } from "@/lib/domain/deadlines/kept";
import { isPressing } from "@/lib/domain/deadlines/row-promise";
import { nextSyncsMs } from "@/lib/domain/order";
import { zoneName, zoneTimeText } from "@/lib/domain/time/zone-name";
import { keptText } from "@/lib/domain/words/deadlines/kept-text";
import { daysText } from "@/lib/domain/words/deadlines/promise-days";
import { promiseLabel, type ListedPromise } from "./listed";
import { MonthCells, OpenCell, OutcomeCell } from "./month-cells";
import { promiseStatus } from "./status";
import * as words from "./words";

const { head } = words;

/** @param month "2026-11", the current one; `isMonthRead`: its days are loaded */
export function PromiseTable({
  promises,
  month,
  isMonthRead,
  mayChange,
  onOpen,
}: {
  promises: readonly ListedPromise[];
  month: string;
  isMonthRead: boolean;
  mayChange: boolean;
  onOpen: (id: string) => void;
}) {
  return (
    <DataTable
      label={words.PROMISES}
      rows={promises}
      keyOf={({ promise }) => promise.id}
      columns={[
        {
          title: head.subject,
          width: "w-[18%]",
          phone: "1 start",
          isHeader: true,
          cell: (listed) => <Subject listed={listed} />,
        },
        {
          title: head.promised,
          width: "w-[200px]",
          phone: "2 whole",
          cell: (listed) => <Promised listed={listed} />,
        },
        {
          title: head.cadence,
          width: "w-[92px] max-xl:hidden",
          className: "is-quiet max-xl:hidden",
          phone: "none",
          cell: ({ feeds }) => words.cadencesText(feeds),
        },
        {
          title: head.now,
          phone: "3 whole",
          cell: (listed) => <Now listed={listed} />,
        },
        {
          title: head.next,
          width: "w-[140px] max-xl:hidden",
          className: "max-xl:hidden",
          phone: "none",
          isNumeric: true,
          cell: (listed) => <Next listed={listed} />,
        },
        {
          title: head.month(month),
          width: "w-[310px]",
          phone: "4 whole",
          // As high as it will be, so that nothing moves.
          cell: (listed) => (
            <div className={isMonthRead ? undefined : "invisible"}>
              <Month listed={listed} month={month} />
            </div>
          ),
        },
        {
          title: head.actions,
          width: "w-[76px]",
          phone: "1 end",
          isActions: true,
          cell: (listed) => (
            <RowActions
              name={promiseLabel(listed, words.ALL_FEEDS)}
              actions={[mayChange ? ("edit" as const) : ("view" as const)]}
              words={words.actions}
              onAct={() => onOpen(listed.promise.id)}
            />
          ),
        },
      ]}
    />
  );
}

function Subject({ listed: { subject } }: { listed: ListedPromise }) {
  return (
    <>
      <bdi>{subject.partner ?? words.EVERY_PARTNER}</bdi>
      <span className="font-normal text-ink-3"> / </span>
      {subject.feed === null ? (
        <span className="font-normal text-ink-2">{words.ALL_FEEDS}</span>
      ) : (
        <bdi className="font-mono text-[12.5px] font-normal">{subject.feed}</bdi>
      )}
    </>
  );
}

function Promised({ listed: { promise } }: { listed: ListedPromise }) {
  const more = [
    promise.data_from === null ? "" : words.dataFrom(promise.data_from),
    promise.allowance_minutes === 0 ? "" : words.allowance(promise.allowance_minutes),
    promise.target_percent === null ? "" : words.target(promise.target_percent),
    promise.from === null ? "" : words.since(promise.from),
    promise.until === null ? "" : words.until(promise.until),
  ].filter((part) => part !== "");
  return (
    <>
      <span className="font-medium">
        by {promise.by} {daysText(promise)}
      </span>
      <small>{[zoneTimeText(promise.time_zone), ...more].join(", ")}</small>
    </>
  );
}

function Now({ listed }: { listed: ListedPromise }) {
  const { source, confidence } = useLiveCompany();
  const timeZone = useZone();
  const isFrozen = confidence === "blind";
  const { text, some, next } = useNow(
    (nowMs) => promiseStatus(listed, nowMs + source.api_clock_offset_ms, { timeZone, isFrozen }),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  if (text === null) return <span className="text-ink-2">{next}</span>;
  const isStrong = isPressing(text.state);
  return (
    <>
      <span className={`flex items-baseline gap-[7px] ${isStrong ? "text-ink" : "text-ink-2"}`}>
        <PromiseMark state={text.state} />
        <span>
          {some}
          {text.by}
          {text.stands === "" ? "" : ", "}
          <b className={isStrong ? "font-strong" : "font-normal"}>{text.stands}</b>
          {text.because === "" ? null : <Unbroken text={`: ${text.because}`} />}
        </span>
      </span>
      {next === "" ? null : <small className="pl-[18px]">{next}</small>}
    </>
  );
}

function Next({ listed: { feeds } }: { listed: ListedPromise }) {
  const { confidence } = useLiveCompany();
  if (confidence === "blind") return null;
  return (
    <span className="flex justify-end gap-2 whitespace-nowrap">
      <NextOfFeeds nextMs={nextSyncsMs(feeds)} />
    </span>
  );
}

function Month({ listed, month: of }: { listed: ListedPromise; month: string }) {
  const { month, current, promise } = listed;
  const open = current.find(({ state }) => state === "open" || state === "at_risk");
  const counts = month?.counts ?? null;
  return (
    <>
      <MonthCells month={of} days={month?.days ?? []} openDay={open?.date ?? null} />
      <small>
        {counts === null ? (
          keptText({ met: 0, missed: 0, not_observed: 0, excused: 0 })
        ) : (
          <>
            <b className="text-ink">{keptText(counts)}</b>
            {words.monthAside(counts, month?.days ?? [])}
            {isBelowTarget(counts, promise.target_percent) === true ? words.belowTarget : ""}
          </>
        )}
      </small>
    </>
  );
}

/** What the cells mean, and in which zone times are. */
export function PromiseLegend({ isMonthMissing }: { isMonthMissing: boolean }) {
  const timeZone = useZone();
  const clock = useServerClock();
  return (
    <div className="flex flex-wrap gap-x-[22px] gap-y-1 pt-2.5 text-xs/4.5 text-ink-2">
      {isMonthMissing ? (
        <p role="alert" className="w-full text-ink">
          {words.KEPT_UNKNOWN}
        </p>
      ) : null}
      {(["met", "missed", "open", "not_observed", "excused"] as const).map((kind) => (
        <span key={kind} className="inline-flex items-center gap-1.5">
          <svg width="10" height="20" aria-hidden="true">
            {kind === "open" ? <OpenCell x={0} /> : <OutcomeCell x={0} outcome={kind} />}
          </svg>
          {words.legend[kind]}
        </span>
      ))}
      <span className="ml-auto max-md:ml-0">
        {words.zoneNote(zoneName(clock.nowMs(), timeZone))}
      </span>
    </div>
  );
}
