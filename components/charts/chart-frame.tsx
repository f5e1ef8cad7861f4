import { useEffect, useRef, useState, type ReactNode } from "react";
import { HatchedKey } from "./hatched-key";
import { NOT_OBSERVED, NO_DATA, SHOW_TABLE } from "./words";

/**
 * The frame of every chart: its sentence, fixed height, legend of hatching and band, and its
 * numbers as a table on demand. Nothing below it moves when the plot is loaded.
 */
export function ChartFrame({
  label,
  heightPx,
  table,
  below,
  hasGaps,
  band,
  isEmpty,
  children,
}: {
  label: string;
  heightPx: number;
  table?: ReactNode;
  /** Another chart on the same axis. */
  below?: ReactNode;
  hasGaps: boolean;
  /** Legend of the band behind it; absent: no band. */
  band?: string | undefined;
  isEmpty: boolean;
  children: ReactNode;
}) {
  return (
    <figure className="[&_svg_text]:font-sans">
      <div role="img" aria-label={label} style={{ height: heightPx }} className="relative">
        {isEmpty ? (
          <p className="absolute inset-0 grid place-items-center text-xs text-ink-3">{NO_DATA}</p>
        ) : (
          children
        )}
      </div>
      {below}
      <figcaption className="flex min-h-4 items-start gap-4 text-2xs text-ink-3">
        {table === undefined ? null : <TableOnDemand>{table}</TableOnDemand>}
        {band === undefined ? null : (
          <span className="flex items-center gap-1.5">
            <span className="h-2.5 w-[18px] bg-(--chart-fill)" aria-hidden="true" />
            {band}
          </span>
        )}
        {hasGaps ? (
          <span className="ml-auto flex items-center gap-1.5">
            <HatchedKey />
            {NOT_OBSERVED}
          </span>
        ) : null}
      </figcaption>
    </figure>
  );
}

/** Drawn when it is opened: it has hundreds of rows. */
function TableOnDemand({ children }: { children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isDrawn, setIsDrawn] = useState(false);
  // It may have been opened before the page was hydrated.
  useEffect(() => setIsDrawn(details.current?.open === true), []);
  return (
    <details
      ref={details}
      className="flex-1"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setIsDrawn(true);
      }}
    >
      <summary className="inline-block min-h-6 leading-6 text-ink-2 underline underline-offset-3">
        {SHOW_TABLE}
      </summary>
      {isDrawn ? children : null}
    </details>
  );
}
