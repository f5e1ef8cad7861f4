import "./measured.css";

const PLACES = "abcde";
/** What five digits can say, two of them below one. */
const MOST = 999.99;

/**
 * Numbers as class names, for what only a number can say: where something stands, how long it is. Our policy
 * refuses style attributes in a page's HTML, so each digit is a class, and styles find their sums in `--x` and
 * `--y`, without a unit.
 * @param numbers each at least 0; rounded to two digits below one, and cut at 999.99
 */
export function measured(numbers: { x?: number; y?: number }): string {
  const classes = ["measured"];
  for (const [slot, number] of Object.entries(numbers)) {
    const hundredths = Math.round(Math.min(Math.max(number, 0), MOST) * 100);
    Array.from(String(hundredths).padStart(PLACES.length, "0")).forEach((digit, place) => {
      if (digit !== "0") classes.push(`${slot}${PLACES[place] ?? ""}${digit}`);
    });
  }
  return classes.join(" ");
}
