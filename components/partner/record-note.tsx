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
  reading: "Reading the record.",
  silent: "The record does not answer. It is asked again by itself.",
  empty: "The record holds nothing of it in this range.",
} as const;
