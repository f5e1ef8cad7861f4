const ROWS = Array.from({ length: 40 }, (_, index) => index);
const CELLS = Array.from({ length: 8 }, (_, index) => index);

/** A screen of rows as cheap to repaint as CSS allows: each contained, of one fixed height. */
export default function Page() {
  return (
    <main>
      {ROWS.map((row) => (
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
