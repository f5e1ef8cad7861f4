import { percent } from "@/components/ui/percent";

/**
 * A bar, and where the allowance is on its scale. Plain HTML, so that the server draws it.
 * @param scale calls at the end of the bar's column; above 0
 * @param allowed calls; null: no mark. One beyond the scale has none either
 */
export function CallsBar({
  calls,
  scale,
  allowed = null,
}: {
  calls: number;
  scale: number;
  allowed?: number | null;
}) {
  return (
    <span className="calls-bar" aria-hidden="true">
      <i style={{ width: percent(calls / scale) }} />
      {allowed === null || allowed > scale ? null : (
        <u style={{ left: percent(allowed / scale) }} />
      )}
    </span>
  );
}
