import type { ReactNode } from "react";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { useExplain } from "./explain-provider";
import { whatItMeans } from "./words";

/**
 * The verdict of a line: pressed, it explains itself, where the page has explanations.
 * @param label of what it shows
 */
export function VerdictButton({
  row,
  label,
  lineKey,
  children,
}: {
  row: SyncStatusRow;
  label: string;
  lineKey: string;
  children: ReactNode;
}) {
  const explain = useExplain();
  if (explain === null)
    return (
      <span role="presentation" className="verdict">
        {children}
      </span>
    );
  return (
    <button
      type="button"
      data-cell="verdict"
      tabIndex={-1}
      aria-haspopup="dialog"
      aria-label={whatItMeans(label)}
      className="verdict"
      onPointerEnter={explain.onNear}
      onFocus={explain.onNear}
      onClick={({ currentTarget }) =>
        explain.onOpen({ id: row.id, lineKey, element: currentTarget })
      }
    >
      {children}
    </button>
  );
}
