/** In place of a chart that has nothing to draw yet, as high as the chart. */
export function RecordNote({
  state,
  heightPx,
}: {
  state: "reading" | "silent" | "empty";
  heightPx: number;
}) {
  return (
    <p
      role="status"
      className="grid place-items-center text-xs text-ink-3"
      style={{ height: heightPx }}
    >
      {TEXT[state]}
    </p>
  );
}

const TEXT = {
  reading: "Loading history…",
  silent: "Couldn’t load history. Retrying automatically.",
  empty: "No data in this range.",
} as const;
