/** In place of a chart that has nothing to draw yet, as high as the chart. */
export function RecordNote({
  state,
  heightPx,
}: {
  state: "reading" | "silent" | "empty";
  heightPx: number;
}) {
  return (
    <p role="status" className="flex items-center justify-center text-xs text-ink-3">
      {/* What its height is by, which no class can say. */}
      <svg width="0" height={heightPx} aria-hidden="true" />
      {TEXT[state]}
    </p>
  );
}

const TEXT = {
  reading: "Loading history…",
  silent: "Couldn’t load history. Retrying automatically.",
  empty: "No data in this range.",
} as const;
