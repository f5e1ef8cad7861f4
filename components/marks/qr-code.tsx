import { encode } from "uqr";

/** Quiet zone around a QR code, in modules, as readers require. */
const MARGIN = 4;

/**
 * Text as a QR code, dark on light in every theme.
 * @param label its target, for screen readers
 * @param className sets its size
 */
export function QrCode({
  text,
  label,
  className,
}: {
  text: string;
  label: string;
  className: string;
}) {
  const { size, data } = encode(text, { ecc: "M", border: 0 });
  const edge = size + 2 * MARGIN;
  return (
    <svg
      className={className}
      viewBox={`${-MARGIN} ${-MARGIN} ${edge} ${edge}`}
      role="img"
      aria-label={label}
    >
      <path d={`M${-MARGIN} ${-MARGIN}h${edge}v${edge}h${-edge}z`} fill="#fff" />
      <path d={qrPath(data)} fill="#000" />
    </svg>
  );
}

/** One rectangle per run of dark modules. `data`: rows of modules, true for dark. */
export function qrPath(data: readonly (readonly boolean[])[]): string {
  return data
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => {
        if (!isDark || row[x - 1] === true) return [];
        const end = row.indexOf(false, x);
        const length = (end === -1 ? row.length : end) - x;
        return [`M${x} ${y}h${length}v1h${-length}z`];
      }),
    )
    .join("");
}
