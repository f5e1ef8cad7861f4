import type { ReactNode } from "react";
import type { DetailCell } from "@/components/grid/tip/detail-cells";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { useExplain } from "./explain-provider";
import { whatItMeans } from "./words";

type Given = {
  row: SyncStatusRow;
  /** What it shows. */
  label: string;
  lineKey: string;
  children: ReactNode;
};

/** The verdict of a line: pressed, it explains itself, where the page has explanations. */
export function VerdictButton(given: Given) {
  if (useExplain() === null) return <span className="verdict">{given.children}</span>;
  return <ExplainButton cell="verdict" {...given} />;
}

/** Explains the verdict of a line, and takes the keyboard focus of its cell. */
export function ExplainButton({
  cell,
  row,
  label,
  lineKey,
  children,
}: Given & { cell: DetailCell }) {
  const explain = useExplain();
  return (
    <button
      type="button"
      data-cell={cell}
      tabIndex={-1}
      aria-haspopup="dialog"
      aria-label={whatItMeans(label)}
      className="verdict"
      onPointerEnter={explain?.onNear}
      onFocus={explain?.onNear}
      onClick={({ currentTarget }) =>
        explain?.onOpen({ id: row.id, lineKey, element: currentTarget })
      }
    >
      {children}
    </button>
  );
}
