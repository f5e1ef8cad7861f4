import { Chevron } from "@/components/marks/chevron";
import { NextOfFeeds } from "@/components/shell/live/next-of-feeds";
import { useLiveCompany } from "@/components/shell/live-company";
import { Link } from "@/components/ui/link";
import { partnerPath } from "@/lib/domain/partner-address";
import type { Line } from "@/components/grid/board";
import { groupState, toggleLabel } from "@/components/grid/words";
import { PartnerIncident } from "@/components/marks/open-incidents";
import { PartnerQuiet } from "@/components/quiet/quiet-marks";
import { Tallies } from "@/components/marks/tallies";
import { BoardLine, type LineProps } from "./board-line";

/** A partner's line: a link to its page, its verdict counts, its next sync, and the collapse button. */
export function GroupRow({
  line: { partner, counts, quiet, isOpen, nextMs },
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
      {confidence === "blind" ? null : (
        <span role="gridcell" className="cell-next">
          <NextOfFeeds nextMs={nextMs} />
        </span>
      )}
      <PartnerIncident partner={partner}>
        {/* Nothing is called on time that wasn't checked just now. */}
        {confidence === "live" ? (
          <span className="group-state truncate">{groupState(counts, quiet)}</span>
        ) : null}
      </PartnerIncident>
    </BoardLine>
  );
}
