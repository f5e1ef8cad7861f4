import { RECORD_NOTES } from "./words";
/** Placeholder for a chart without data, as high as the chart. */
export function RecordNote({
  state,
  heightPx,
}: {
  state: keyof typeof RECORD_NOTES;
  heightPx: number;
}) {
  return (
    <p role="status" className="flex items-center justify-center text-xs text-ink-3">
      {/* Reference of its height, which no class can express. */}
      <svg width="0" height={heightPx} aria-hidden="true" />
      {RECORD_NOTES[state]}
    </p>
  );
}
