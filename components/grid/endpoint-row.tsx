"use client";

import { Suspense } from "react";
import { NextSync } from "@/components/marks/next-sync";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import { useOpen } from "@/lib/client/use-open";
import { instantMs } from "@/lib/domain/time/instant";
import { QUIET_LABEL } from "@/lib/domain/learned-week/quiet-text";
import { endpointPath } from "@/lib/domain/partner-address";
import { count } from "@/lib/domain/words/format";
import { AgeBar } from "@/components/marks/age-bar";
import { Badge } from "@/components/marks/badge";
import type { DetailCell } from "@/components/grid/tip/detail-cells";
import { momentOf } from "@/lib/domain/judge";
import { EndpointIncident } from "@/components/marks/open-incidents";
import { EndpointQuiet } from "@/components/quiet/quiet-marks";
import { RunIcon } from "@/components/marks/run-icon";
import { useStrips } from "@/components/grid/strips/strips-context";
import { LineCells } from "@/components/grid/incident-actions/line-cells";
import { useLineActs } from "@/components/grid/incident-actions/acts-context";
import { useExplain } from "@/components/grid/explain/explain-provider";
import { ExplainButton, VerdictButton } from "@/components/grid/explain/verdict-button";
import type { Line } from "./board";
import { isLongName, isPromiseBelow, isQuietBelow } from "./line-heights";
import { Since } from "./since";
import { OVERDUE_HERE, STUCK, SYNCING } from "./words";
import { BoardLine, type LineProps } from "./lines/board-line";
import { rowText, sameRowText, type RowText } from "@/lib/domain/words/row-text";
import { latenessStyle } from "@/components/marks/lateness-style";
import { VerdictIcon } from "@/components/marks/verdict-icon";

const RunStrip = lazyPart(() => import("@/components/grid/strips/run-strip"));
const CallsSparkline = lazyPart(() => import("@/components/grid/strips/calls-sparkline"));
const RowPromise = lazyPart(() => import("./promise/row-promise"));

/** A cell with a tooltip for pointer and focus; the arrow keys move between these. */
const explained = (cell: DetailCell) =>
  ({ role: "gridcell", "data-cell": cell, tabIndex: -1 }) as const;

/** One endpoint. Renders when one of its texts changes, not on every tick. */
export function EndpointRow({
  line,
  withPartner,
  ...place
}: LineProps & { line: Extract<Line, { kind: "row" }>; withPartner: boolean }) {
  const { row, isProblem, isInGroup } = line;
  const { lineKey } = place;
  const { slug, asOf, source, confidence, linked } = useLiveCompany();
  const timeZone = useZone();
  const text = useNow((nowMs) => {
    const behindMs = nowMs - (instantMs(source.last_success_at) ?? nowMs);
    const moment = momentOf({ as_of: asOf, source }, nowMs);
    return rowText(row, moment, { confidence, behindMs, timeZone });
  }, sameRowText);
  const hasActs = useLineActs() !== null;
  const isLimited = useExplain() !== null && row.last_sync_status === "rate_limited";
  const isFrozen = confidence === "blind";
  const over = latenessStyle(text.word);
  const hasStrips = (useStrips()?.axis ?? null) !== null;
  const isBelow = isPromiseBelow(line, hasActs);
  const hasQuietBelow = isQuietBelow(line, hasActs);
  const isQuietBeside = text.quiet !== "" && !hasQuietBelow;
  const href = endpointPath(slug, row.partner_name, row.id) + linked;
  const open = useOpen();
  const name = withPartner ? `${row.partner_name} / ${row.endpoint_key}` : row.endpoint_key;
  return (
    <BoardLine
      {...place}
      className={`line-row ${isLongName(line) ? "is-long" : ""} ${isProblem && hasActs ? "is-problem" : ""} ${isInGroup ? "is-in-group" : ""} ${isBelow || hasQuietBelow ? "has-below" : row.promise == null ? "" : "has-promise-within"}`}
    >
      <span role="gridcell" className="cell-verdict">
        <VerdictButton row={row} label={verdictLabel(text)} lineKey={lineKey}>
          <Badge word={text.word} text={text.badge} isFrozen={isFrozen} />
          <Overlay text={text} />
          {isQuietBeside ? <span className="chip only-phone">{QUIET_LABEL}</span> : null}
        </VerdictButton>
        {hasActs ? null : <EndpointIncident endpointId={row.id} />}
        <EndpointQuiet id={row.id} partner={row.partner_name} />
      </span>
      <span role="rowheader" className="cell-name" title={name}>
        <Link
          href={href}
          onNavigate={(event) => {
            event.preventDefault();
            open(href);
          }}
          tabIndex={-1}
          data-opens
          className={`hover:underline ${withPartner ? "name-pair" : ""}`}
        >
          {withPartner ? (
            <>
              <b>{row.partner_name}</b>
              <i> / </i>
              <span>{row.endpoint_key}</span>
            </>
          ) : (
            row.endpoint_key
          )}
        </Link>
        {isQuietBeside && text.cadenceNote !== QUIET_LABEL ? (
          <span className="quiet-note max-sm:hidden" title={text.quiet}>
            {QUIET_LABEL}
          </span>
        ) : null}
      </span>
      <span {...explained("age")} className="cell-age">
        {text.age}
      </span>
      <span {...explained("bar")} className="cell-bar">
        <AgeBar text={text} />
        {text.barNote === "" ? null : <span className="note">{text.barNote}</span>}
        {text.cadenceNote === "" ? null : <span className="note note-end">{text.cadenceNote}</span>}
      </span>
      <span {...explained("over")} {...over} className={`cell-over ${over.className}`}>
        {text.overdue}
        {text.overdue === "" ? null : (
          <span className="only-phone font-normal">{OVERDUE_HERE}</span>
        )}
      </span>
      <span {...explained("next")} className="cell-next">
        <NextSync {...text} />
      </span>
      {hasActs ? <Since endpointId={row.id} beganMs={text.beganMs} /> : null}
      <span {...(isLimited ? { role: "gridcell" } : explained("run"))} className="cell-run">
        <RunIcon outcome={row.last_sync_status} />
        {isLimited ? (
          <ExplainButton cell="run" row={row} label={text.run} lineKey={lineKey}>
            {text.run}
          </ExplainButton>
        ) : (
          <span className="truncate">{text.run}</span>
        )}
        <span className="duration">{text.runTook}</span>
      </span>
      {hasActs && isProblem ? <LineCells row={row} lineKey={lineKey} /> : null}
      <span {...explained("strip")} className="cell-strip">
        {hasStrips ? (
          <Suspense>
            <RunStrip endpointId={row.id} />
          </Suspense>
        ) : null}
      </span>
      <span {...explained("calls")} className="cell-calls">
        {count(row.api_calls_last_24h)}
      </span>
      <span role="gridcell" className="cell-spark">
        {hasStrips ? (
          <Suspense>
            <CallsSparkline endpointId={row.id} />
          </Suspense>
        ) : null}
      </span>
      {hasQuietBelow ? (
        <span role="gridcell" className="row-below">
          <span title={text.quiet}>{QUIET_LABEL}</span>
        </span>
      ) : null}
      {row.promise == null ? null : (
        <Suspense>
          <RowPromise promise={row.promise} status={row.status} isBelow={isBelow} />
        </Suspense>
      )}
    </BoardLine>
  );
}

/** The verdict with what is beside it: "Failing, stuck". */
function verdictLabel({ badge, overlay, chip, quiet }: RowText): string {
  const beside = overlay === "syncing" ? SYNCING : overlay === "stuck" ? STUCK : chip;
  return [badge, beside, quiet].filter((text) => text !== "").join(", ");
}

/** A mark beside the badge, never instead of it. */
function Overlay({ text }: { text: RowText }) {
  if (text.overlay === null && text.chip === "") return null;
  return (
    <span className="chip">
      {text.overlay === null ? null : <VerdictIcon shape={text.overlay} />}
      {text.overlay === "syncing" ? <span className="sr-only">, {SYNCING}</span> : null}
      {text.overlay === "stuck" ? <span className="sr-only">, </span> : null}
      {text.overlay === "stuck" ? STUCK : text.chip}
    </span>
  );
}
