import { Chevron } from "@/components/marks/chevron";
import { NextSync } from "@/components/marks/next-sync";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import { partnerPath } from "@/lib/domain/partner-address";
import { NO_NEXT, nextTexts, sameNextTexts } from "@/lib/domain/words/next-sync-text";
import type { Line } from "@/components/grid/board";
import { groupState, toggleLabel } from "@/components/grid/words";
import { PartnerIncident } from "@/components/marks/open-incidents";
import { PartnerQuiet } from "@/components/quiet/quiet-marks";
import { Tallies } from "@/components/marks/tallies";
import { BoardLine, type LineProps } from "./board-line";

/** A partner's line: a link to its page, its verdict counts, its next sync, and the collapse button. */
export function GroupRow({
  line: { partner, counts, isOpen, nextMs },
  onToggle,
  ...place
}: LineProps & {
  line: Extract<Line, { kind: "group" }>;
  onToggle: () => void;
}) {
  const { slug, linked, confidence } = useLiveCompany();
  return (
    <BoardLine {...place} className="line-group">
      <span role="rowheader" className="cell-partner">
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label={toggleLabel(partner, isOpen)}
          onClick={onToggle}
          className="-ml-1.5 grid h-6 w-6 shrink-0 place-items-center text-ink-3 max-sm:h-10"
        >
          <Chevron isOpen={isOpen} />
        </button>
        <Link
          href={partnerPath(slug, partner) + linked}
          tabIndex={-1}
          className="-ml-1 truncate hover:underline"
          title={partner}
        >
          {partner}
        </Link>
        <PartnerQuiet partner={partner} />
      </span>
      <span role="gridcell" className="cell-tallies">
        <Tallies counts={counts} />
      </span>
      {confidence === "blind" ? null : <NextCell nextMs={nextMs} />}
      <PartnerIncident partner={partner}>
        {/* Nothing is called on time that wasn't checked just now. */}
        {confidence === "live" ? (
          <span className="group-state truncate">{groupState(counts)}</span>
        ) : null}
      </PartnerIncident>
    </BoardLine>
  );
}

/** The partner's first future sync, or the one that is due. */
function NextCell({ nextMs }: { nextMs: readonly number[] }) {
  const { source } = useLiveCompany();
  const timeZone = useZone();
  const text = useNow((nowMs) => {
    const apiNowMs = nowMs + source.api_clock_offset_ms;
    const shownMs = nextMs.find((ms) => ms > apiNowMs) ?? nextMs.at(-1);
    return shownMs === undefined ? NO_NEXT : nextTexts(shownMs, apiNowMs, timeZone);
  }, sameNextTexts);
  return (
    <span role="gridcell" className="cell-next">
      <NextSync {...text} />
    </span>
  );
}
