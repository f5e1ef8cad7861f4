import type { RowText } from "@/lib/domain/words/row-text";

/**
 * Data age against cadence, on the scale of the due line; empty for endpoints without a cadence.
 */
export function AgeBar({
  text,
}: {
  text: Pick<RowText, "word" | "barPermille" | "barLabel" | "barOverflows">;
}) {
  if (text.barPermille === null) return null;
  const isThin = text.word === "fresh" || text.word === "due";
  const [height, top] = isThin ? [4, -2] : [6, -3];
  return (
    <svg
      className="bar"
      data-verdict={text.word}
      width="100%"
      height="100%"
      role="img"
      aria-label={text.barLabel}
    >
      <rect
        x="0"
        y="50%"
        width={`${text.barPermille / 10}%`}
        height={height}
        transform={`translate(0 ${top})`}
      />
      {text.barOverflows ? (
        <svg x="100%" y="50%" width="1" height="1" overflow="visible">
          <path d="M-1-5 5 0-1 5Z" />
        </svg>
      ) : null}
    </svg>
  );
}
