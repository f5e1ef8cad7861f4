import { useLiveCompany } from "@/components/shell/live-company";
import { Link } from "@/components/ui/link";
import { partnerPath } from "@/lib/domain/partner-address";
import type { Line } from "./board";
import type { LineProps } from "./endpoint-row";
import { toggleLabel } from "./words";
import { PartnerIncident } from "@/components/marks/open-incidents";
import { PartnerQuiet } from "@/components/quiet/quiet-marks";
import { Tallies } from "@/components/marks/tallies";

/** A partner's line: a link to its page, its verdict counts, and the collapse button. */
export function GroupRow({
  line: { partner, counts, isOpen },
  onToggle,
  lineKey,
  rowIndex,
  isTabStop,
  isLast,
}: LineProps & {
  line: Extract<Line, { kind: "group" }>;
  onToggle: () => void;
}) {
  const { slug, linked } = useLiveCompany();
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-line={lineKey}
      className={isLast ? "line line-group board-end" : "line line-group"}
    >
      <span role="rowheader" className="cell-partner">
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label={toggleLabel(partner, isOpen)}
          onClick={onToggle}
          className="-ml-1.5 grid h-6 w-6 shrink-0 place-items-center text-ink-3 max-sm:h-10"
        >
          <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
            <path
              d={isOpen ? "M1 2.5 4 5.5 7 2.5" : "M2.5 1 5.5 4 2.5 7"}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.4"
            />
          </svg>
        </button>
        <Link
          href={partnerPath(slug, partner) + linked}
          tabIndex={-1}
          className="-ml-1 truncate hover:underline"
          title={partner}
        >
          {partner}
        </Link>
        <Tallies counts={counts} className="ml-1.5 pr-1" />
        <PartnerQuiet partner={partner} />
      </span>
      <span role="presentation" className="cell-bar" />
      <PartnerIncident partner={partner} />
    </div>
  );
}
