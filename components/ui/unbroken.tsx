/** "26 h 13 m", "41 s": read as one figure. */
const DURATION = /(\b\d+ [dhms]\b(?: \d+ [hms]\b)?)/;

/** A sentence whose durations never break across lines. */
export function Unbroken({ text }: { text: string }) {
  return text.split(DURATION).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other key
      <span key={at} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}
