import type { Counts } from "@/lib/domain/order";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";

/** Trouble is tall, health is a thin line. */
const SEGMENTS: Readonly<Record<Verdict, string>> = {
  failing: "h-2.5 bg-failing-mark",
  stale: "h-2.5 bg-stale-mark",
  late: "h-2.5 bg-late-mark",
  unknown:
    "h-2.5 bg-[repeating-linear-gradient(90deg,var(--unknown-mark)_0_2px,transparent_2px_4px)]",
  due: "h-1.5 bg-due-mark",
  fresh: "h-[3px] bg-fresh-mark",
  webhook: "h-[3px] bg-webhook-mark",
  paused: "h-[3px] bg-line-strong",
};
const HOLLOW = "h-[5px] border border-fresh-mark";

/** A company's endpoints by verdict, as shares of the width. Null without endpoints. */
export function VerdictBar({
  counts,
  isDelayed,
  isFrozen,
}: {
  counts: Counts;
  isDelayed: boolean;
  isFrozen: boolean;
}) {
  const words = VERDICTS.filter((word) => counts[word] > 0);
  if (words.length === 0) return null;
  const all = words.reduce((sum, word) => sum + counts[word], 0);
  const text = words.map((word) => `${counts[word]} ${word}`).join(", ");
  return (
    <span
      role="img"
      aria-label={isFrozen ? `was ${text}` : text}
      title={text}
      className={`flex h-2.5 items-end gap-px ${isFrozen ? "opacity-55 [filter:grayscale(1)]" : ""}`}
    >
      {words.map((word) => (
        <span
          key={word}
          style={{ flexGrow: counts[word] / all }}
          className={`min-w-[3px] basis-0 ${isDelayed && word === "fresh" ? HOLLOW : SEGMENTS[word]}`}
        />
      ))}
    </span>
  );
}
