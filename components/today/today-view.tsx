"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import {
  acknowledgeAll,
  ResultBar,
  type ActedOn,
  type Result,
} from "@/components/grid/incident-actions/acknowledge-result";
import { PastBanner } from "@/components/grid/past/past-banner";
import { boardThen } from "@/components/grid/past/words";
import { shareButtonProps } from "@/components/drill-down/share/share-button-props";
import { useZone } from "@/components/shell/time/zone";
import { SilenceBanner } from "@/components/shell/trouble/silence-banner";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { popupButton } from "@/components/ui/popup-button";
import { useNow } from "@/lib/client/use-now";
import type { CompanyName } from "@/lib/domain/companies/company-name";
import type { TodayMember } from "@/lib/domain/today/lines";
import { compareNames } from "@/lib/domain/text/compare-names";
import { orderedLines, type ShownToday } from "@/lib/domain/today/shown";
import { instantMs } from "@/lib/domain/time/instant";
import { datedMoment } from "@/lib/domain/words/dates";
import { takeable, TodayProvider, type TodayPage } from "./today-context";
import { TodayFoot } from "./today-foot";
import { useTodayHere, type TodayHere } from "./today-here";
import { lineOfRow } from "./today-items";
import { TodayLead } from "./today-lead";
import { TodayList } from "./today-list";
import { NO_FILTER, isFiltered } from "./today-url";
import { useTodayKeys } from "./use-today-keys";
import { WellList } from "./well-list";
import { isBeforeHistory } from "./use-lead";
import { acts, chatSubject, foot, lead, LOADING_THEN } from "./words";

const TellDialog = lazyPart(() => import("@/components/grid/incident-actions/tell-dialog"));
const Share = popupButton("dialog", () => import("./today-share"));
const KeysDialog = lazyPart(() => import("./today-keys-dialog"));

/** Delay between the last keystroke and the request. */
const TYPING_MS = 300;
const NO_LINES: ShownToday["lines"] = [];

/**
 * What is wrong at all customers of a person, what isn't seen, and who is well.
 * @param given.customers number of customers that the person may see
 * @param given.handled slugs of those whose incidents the person may handle
 */
export function TodayView({
  me,
  customers,
  own,
  handled,
  rhythmMs,
  openAfterMs,
  children,
}: {
  /** The person. `name` null: others have the same. */
  me: { id: string; name: string | null };
  customers: number;
  /** Of them, those that the person owns or stands in for; null: unknown. */
  own: number | null;
  handled: readonly string[];
  rhythmMs: number;
  openAfterMs: number;
  /** Below the lists. */
  children: ReactNode;
}) {
  const here = useTodayHere();
  const { received, state, setState, frozenMs, isPast, atMs, isSilent, isOld } = here;
  const today = received?.view ?? null;
  const hasLists = today !== null && !isBeforeHistory(today, frozenMs);
  const isNarrowed = isFiltered(state);
  const searchRef = useRef<HTMLInputElement>(null);
  const table = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [showsKeys, setShowsKeys] = useState(false);
  const [telling, setTelling] = useState<{ company: CompanyName; partner: string } | null>(null);
  const act = useAct();

  const onToggle = useCallback((key: string) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const onTell = useCallback(
    ({ company }: TodayMember, partner: string) => setTelling({ company, partner }),
    [],
  );
  const { onResult, take, isBusy } = act;
  const handledSlugs = useMemo(() => new Set(handled), [handled]);
  const onTake = useCallback(
    (what: string, members: readonly TodayMember[]) =>
      take(what, takeable(members, { handled: handledSlugs, frozenMs })),
    [take, handledSlugs, frozenMs],
  );
  const offsets = today?.api_clock_offsets;
  const page = useMemo(
    (): TodayPage => ({
      frozenMs,
      isPast,
      offsets: offsets ?? {},
      handled: handledSlugs,
      me,
      customers: isNarrowed ? null : customers,
      openAfterMs,
      isBusy,
      onTake,
      onTell,
      onToggle,
    }),
    [
      frozenMs,
      isPast,
      offsets,
      handledSlugs,
      me,
      isNarrowed,
      customers,
      openAfterMs,
      isBusy,
      onTake,
      onTell,
      onToggle,
    ],
  );
  const all = today?.lines ?? NO_LINES;
  useTodayKeys({
    searchRef,
    onVerdict: (verdict) => setState({ verdict }),
    onClear: () => setState(NO_FILTER),
    onOrder: () => setState({ order: state.order === "next" ? null : "next" }),
    onHelp: () => setShowsKeys(true),
    onNoTake: () => {
      const key = document.activeElement?.closest<HTMLElement>("[data-line]")?.dataset["line"];
      if (key === undefined || handled.length === 0) return;
      const line = lineOfRow(all, key);
      onResult({ sentence: whyNoTake(line, { handled: handledSlugs, frozenMs }), taken: [] });
    },
  });

  const without = isPast ? ["A", "T"] : handled.length > 0 ? [] : ["A"];
  const receivedMs = received?.receivedMs ?? 0;
  const lines = useMemo(
    () => orderedLines(all, state.order, receivedMs),
    [all, state.order, receivedMs],
  );
  const partners = useMemo(
    () => [...new Set(all.map(({ partner_name: partner }) => partner))].toSorted(compareNames),
    [all],
  );

  const known = today?.well.find(({ owner }) => owner?.id === state.owner)?.owner ?? null;
  const subject = chatSubject(state, known?.name ?? null);
  const companiesQuery = new URLSearchParams({
    verdict: "attention",
    ...(state.partner === null ? {} : { partner: state.partner }),
    ...(state.mine ? { whose: "mine" } : {}),
  });
  return (
    <TodayProvider value={page}>
      <div className={`above-keys ${isOld ? "today-old" : ""}`}>
        <SilenceBanner silence={here.silence} receivedMs={received?.receivedMs ?? null} />
        <TodayLead
          given={{
            today,
            state,
            customers,
            own,
            frozenMs,
            hasFailed: isSilent,
            isRefused: here.refused !== null,
          }}
          change={setState}
          owner={known?.name ?? null}
          isOld={isOld}
          searchRef={searchRef}
          onSearch={(q) => setState({ q }, { pauseMs: TYPING_MS })}
          customersHref={`/companies?${companiesQuery.toString()}`}
        >
          {today === null || isOld || isPast ? null : (
            <Share
              {...shareButtonProps("h-7 text-xs")}
              subject={subject}
              today={today}
              frozenMs={frozenMs}
            />
          )}
        </TodayLead>
        {isPast ? <Then atMs={atMs} here={here} /> : null}
        {!hasLists ? null : (
          <>
            {lines.length + today.unseen.length + today.cannot_judge.length === 0 ? (
              isNarrowed && today.well.length === 0 ? (
                <Empty
                  title={lead.nothingMatches}
                  action={<Button onClick={() => setState(NO_FILTER)}>{lead.showAll}</Button>}
                >
                  {lead.hidden}
                </Empty>
              ) : null
            ) : (
              <TodayList
                table={table}
                today={today}
                lines={lines}
                open={open}
                asked={JSON.stringify(state)}
                order={state.order}
                filters={{
                  verdict: state.verdict,
                  partner: state.partner,
                  partners,
                  onVerdict: (verdict) => setState({ verdict }),
                  onPartner: (partner) => setState({ partner }),
                }}
              />
            )}
            {today.well.length === 0 ? null : (
              <WellList
                well={today.well}
                cut={today.cut.well}
                isDoubtful={isSilent || today.counts.delayed > 0}
                rhythmMs={rhythmMs}
                onOwner={(owner) => setState({ owner })}
              />
            )}
            {isPast ? null : children}
            <TodayFoot
              said={foot.said(
                today.lines.length + today.cut.lines,
                today.unseen.length,
                today.well.length + today.cut.well,
                { isFiltered: isNarrowed, isPast: frozenMs !== null },
              )}
              without={without}
              onHelp={() => setShowsKeys(true)}
            />
          </>
        )}
      </div>
      <ResultBar result={act.result} onResult={onResult} />
      <Suspense>
        {showsKeys ? <KeysDialog without={without} onClose={() => setShowsKeys(false)} /> : null}
        {telling === null ? null : <TellDialog {...telling} onClose={() => setTelling(null)} />}
      </Suspense>
    </TodayProvider>
  );
}

/** Acknowledges incidents, one press at a time. */
function useAct() {
  const client = useQueryClient();
  const [result, onResult] = useState<Result | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const take = useCallback(
    (name: string, members: readonly TodayMember[]) => {
      const incidents = new Map(
        members.flatMap(({ company: { slug }, incident_id: id }): [string, ActedOn][] =>
          id === null ? [] : [[`${slug} ${id}`, { company: slug, id, name }]],
        ),
      );
      if (incidents.size === 0) return;
      setIsBusy(true);
      void acknowledgeAll(client, [...incidents.values()])
        .then(onResult)
        .finally(() => setIsBusy(false));
    },
    [client],
  );
  return { result, onResult, take, isBusy };
}

/** Why a line has no button to acknowledge it. @param line undefined: it isn't one of trouble */
function whyNoTake(
  line: ShownToday["lines"][number] | undefined,
  { handled, frozenMs }: Pick<TodayPage, "handled" | "frozenMs">,
): string {
  if (frozenMs !== null) return acts.past;
  if (line === undefined || line.attended.of === 0) return acts.none;
  if (line.acknowledged >= line.attended.of) return acts.taken(line.attended.by);
  if (line.members.every(({ company }) => !handled.has(company.slug))) return acts.forbidden;
  return line.acknowledged > 0 ? acts.partly : acts.onLine;
}

/** That this is the past. */
function Then({
  atMs,
  here: { refused, received, isOld, frozenMs, setState },
}: {
  atMs: number | null;
  here: TodayHere;
}) {
  const timeZone = useZone();
  const recordedMs = instantMs(received?.view.recorded_from ?? null);
  const isBefore = received !== null && isBeforeHistory(received.view, frozenMs);
  const recordedFrom = useNow((nowMs) =>
    isBefore && recordedMs !== null
      ? boardThen.recordedFrom(datedMoment(recordedMs, nowMs, timeZone))
      : "",
  );
  const problem = (isAhead: boolean) => {
    if (refused !== null) return isAhead ? boardThen.ahead : lead.refused;
    return received === null || isOld ? LOADING_THEN : recordedFrom;
  };
  return <PastBanner atMs={atMs} problem={problem} onBack={() => setState({ at: null })} />;
}
