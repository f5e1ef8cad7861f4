const CELLS = Array.from({ length: 8 }, (_, index) => index);

/**
 * Rows as cheap to repaint as CSS allows: each contained, with a fixed height. About `?elements` elements in total,
 * because the size of the page affects the cost of a frame.
 */
export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const elements = Number((await searchParams)["elements"] ?? 400);
  const rows = Array.from({ length: Math.round(elements / (CELLS.length + 1)) }, (_, row) => row);
  return (
    <main>
      {rows.map((row) => (
        <div
          key={row}
          style={{
            contain: "strict",
            height: 36,
            display: "grid",
            gridTemplateColumns: `repeat(${CELLS.length}, 1fr)`,
          }}
        >
          {CELLS.map((cell) => (
            <span key={cell}>
              {row}.{cell}
            </span>
          ))}
        </div>
      ))}
    </main>
  );
}
