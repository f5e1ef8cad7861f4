import { RECORD_NOTES } from "./words";

/**
 * Placeholder for a chart without data, as high as the chart.
 * @param refused why it can't be loaded for this range; null: it can
 */
export function RecordNote({
  state,
  heightPx,
  refused = null,
}: {
  state: keyof typeof RECORD_NOTES;
  heightPx: number;
  refused?: string | null;
}) {
  return (
    <p role="status" className="flex items-center justify-center text-xs text-ink-3">
      {/* Reference of its height, which no class can express. */}
      <svg width="0" height={heightPx} aria-hidden="true" />
      {refused ?? RECORD_NOTES[state]}
    </p>
  );
}
