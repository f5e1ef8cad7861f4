"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { actionLabel } from "@/components/resource/row-actions";
import { refusedFor } from "@/components/session/refused";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { lazyPart } from "@/components/ui/lazy-part";
import { endQuiet, quietQuery } from "@/lib/client/queries/quiet";
import { useNow } from "@/lib/client/use-now";
import type { Expectation } from "@/lib/contracts/quiet";
import { compareText } from "@/lib/domain/text/compare-text";
import type { Scope } from "./plan-dialog";
import { PlanQuiet } from "./plan-quiet";
import { EVERYTHING, madeBy, whatText } from "./words";
import { endWords, hasBegun, quietWords as words, weeklyText, whenText } from "./plan-words";

const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

const COLUMNS =
  "grid grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.6fr)_minmax(0,0.7fr)_96px] gap-x-4 px-3 wrap-anywhere max-sm:grid-cols-1 max-sm:gap-0.5";

/** Planned quiet times of a company that aren't over. @param mayPlan may create and end them */
export function QuietSection({ mayPlan }: { mayPlan: boolean }) {
  const { slug, view } = useLiveCompany();
  const { data, isError } = useQuery(quietQuery(slug));
  const scopes = useMemo((): Scope[] => {
    const partners = [...new Set(view?.rows.map((row) => row.partner_name))].toSorted(compareText);
    return [
      { label: EVERYTHING, partner: null, endpointId: null },
      ...partners.map((partner) => ({ label: partner, partner, endpointId: null })),
    ];
  }, [view]);
  return (
    <section aria-labelledby="quiet-times">
      <div className="mx-6 mt-[18px] mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-0.5 max-sm:mx-3.5">
        <h2 id="quiet-times" className="font-strong">
          {words.heading}
        </h2>
        <p className="text-xs text-ink-3">{words.note}</p>
        {mayPlan ? (
          <div className="ml-auto max-sm:ml-0">
            <PlanQuiet company={slug} scopes={scopes} />
          </div>
        ) : null}
      </div>
      {data === undefined ? (
        isError ? (
          <p className="list-empty">{words.notLoaded}</p>
        ) : (
          <p className="list-empty" aria-busy="true">
            &nbsp;
          </p>
        )
      ) : data.data.length === 0 ? (
        <p className="list-empty">{mayPlan ? words.none : words.noneFor}</p>
      ) : (
        <div role="table" aria-label={words.heading} className="list-frame">
          <div role="row" className={`list-head items-center max-sm:sr-only ${COLUMNS}`}>
            <span role="columnheader">{words.when}</span>
            <span role="columnheader">{words.what}</span>
            <span role="columnheader">{words.reason}</span>
            <span role="columnheader">{words.by}</span>
            <span role="columnheader">
              <span className="sr-only">{words.actions}</span>
            </span>
          </div>
          {data.data.map((one) => (
            <QuietRow
              key={one.id}
              one={one}
              company={slug}
              offsetMs={data.api_clock_offset_ms}
              mayEnd={mayPlan}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function QuietRow({
  one,
  company,
  offsetMs,
  mayEnd,
}: {
  one: Expectation;
  company: string;
  offsetMs: number;
  mayEnd: boolean;
}) {
  const timeZone = useZone();
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const when = useNow((nowMs) => whenText(one, nowMs + offsetMs, timeZone));
  const isOn = useNow((nowMs) => hasBegun(one.quiet, nowMs + offsetMs));
  const weekly = weeklyText(one);
  const ending = isOn ? endWords.end : endWords.cancel;
  const end = async () => {
    try {
      await endQuiet(client, company, one.id);
      setIsAsking(false);
      return null;
    } catch (error) {
      return refusedFor(error, () => ending.failed);
    }
  };
  return (
    <div
      role="row"
      className={`items-baseline py-1.5 shadow-[inset_0_1px_0_var(--line)] max-sm:py-2.5 ${COLUMNS}`}
    >
      <span role="cell">
        {when}
        {weekly === "" ? null : <small className="block text-xs text-ink-2">{weekly}</small>}
      </span>
      <span role="rowheader" className="font-strong">
        {whatText(one)}
      </span>
      <span role="cell">{one.reason}</span>
      <span role="cell" className="text-ink-2">
        {madeBy(one)}
      </span>
      <span role="cell" className="text-right max-sm:text-left">
        {mayEnd ? (
          <button
            type="button"
            className="min-h-6 text-xs/4.5 text-ink-2 underline decoration-control underline-offset-3 hover:text-ink max-sm:min-h-11"
            aria-haspopup="dialog"
            aria-label={actionLabel(ending.action, whatText(one))}
            onClick={() => setIsAsking(true)}
          >
            {ending.action}
          </button>
        ) : null}
        <Suspense>
          {isAsking ? (
            <ConfirmDialog
              title={ending.title(whatText(one))}
              keep={endWords.keep}
              act={ending.act}
              onDo={end}
              onClose={() => setIsAsking(false)}
            >
              <p className="mb-2 text-ink wrap-anywhere">{endWords.of(one, when)}</p>
              {ending.effect(one)}
            </ConfirmDialog>
          ) : null}
        </Suspense>
      </span>
    </div>
  );
}
