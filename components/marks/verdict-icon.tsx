import type { ReactNode } from "react";
import type { Verdict } from "@/lib/domain/sync";

type Shape = Verdict | "syncing" | "stuck";

/**
 * A verdict's shape, always beside a word or a count with an accessible name. Inline paths:
 * referencing shared ones is several times as slow per icon.
 */
export function VerdictIcon({ shape, size = 12 }: { shape: Shape; size?: number }) {
  return (
    <svg
      className="icon"
      data-verdict={shape === "syncing" || shape === "stuck" ? undefined : shape}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {SHAPES[shape]}
    </svg>
  );
}

const SYNC_ARCS = "M13.2 6.2A5.6 5.6 0 0 0 3.3 5M2.8 9.8A5.6 5.6 0 0 0 12.7 11";

/** Few elements each, because a board consists of many. */
const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  // A delayed view makes the disc hollow by setting --disc.
  fresh: (
    <circle
      cx="8"
      cy="8"
      r="5.25"
      fill="var(--disc, currentColor)"
      stroke="currentColor"
      strokeWidth="1.5"
    />
  ),
  // A ring with two hands: the inner circle has the opposite winding and so is cut out.
  due: (
    <path
      d="M8 1.75a6.25 6.25 0 0 1 0 12.5 6.25 6.25 0 0 1 0-12.5Zm0 2a4.25 4.25 0 0 0 0 8.5 4.25 4.25 0 0 0 0-8.5ZM7.1 4.6h1.8v2.5H11v1.8H7.1Z"
      fill="currentColor"
    />
  ),
  late: <path d="M8 1.5 15 14.5H1Z" fill="currentColor" />,
  stale: <path d="M2 1h12v2L9.6 8 14 13v2H2v-2L6.4 8 2 3Z" fill="currentColor" />,
  // An octagon with a cross cut out.
  failing: (
    <path
      fillRule="evenodd"
      d="M5 1h6l4 4v6l-4 4H5l-4-4V5ZM8 6.59l2.1-2.1 1.41 1.42L9.41 8l2.1 2.09-1.41 1.42L8 9.41l-2.09 2.1-1.42-1.42L6.59 8 4.49 5.91l1.42-1.42Z"
      fill="currentColor"
    />
  ),
  // A ring of eight dashes around a question mark.
  unknown: (
    <path
      d="M14.4 8A6.4 6.4 0 0 1 13.87 10.54M12.52 12.53A6.4 6.4 0 0 1 10.35 13.95M8 14.4A6.4 6.4 0 0 1 5.46 13.87M3.47 12.52A6.4 6.4 0 0 1 2.05 10.35M1.6 8A6.4 6.4 0 0 1 2.13 5.46M3.48 3.47A6.4 6.4 0 0 1 5.65 2.05M8 1.6A6.4 6.4 0 0 1 10.54 2.13M12.53 3.48A6.4 6.4 0 0 1 13.95 5.65M6.2 6.6c0-1.1.8-1.8 1.9-1.8s1.8.7 1.8 1.6c0 1.3-1.8 1.3-1.8 2.6M8.15 10.2v1.7"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    />
  ),
  paused: <path d="M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z" fill="currentColor" />,
  webhook: (
    <>
      <path d="M1 8h8.6M6 4.2 9.8 8 6 11.8" fill="none" stroke="currentColor" strokeWidth="2" />
      <rect x="12.5" y="2" width="2.2" height="12" fill="currentColor" />
    </>
  ),
  syncing: (
    <>
      <path d={SYNC_ARCS} fill="none" stroke="currentColor" strokeWidth="1.8" />
      <path d="M14.6 2.6v4.2h-4.2ZM1.4 13.4V9.2h4.2Z" fill="currentColor" />
    </>
  ),
  stuck: (
    <>
      <path
        d={SYNC_ARCS}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeDasharray="3.2 1.8"
      />
      <rect x="6.9" y=".5" width="2.2" height="15" fill="currentColor" />
    </>
  ),
};
