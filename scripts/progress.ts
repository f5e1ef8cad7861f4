/** Where progress is shown. */
type Output = { isTTY?: boolean; write(text: string): unknown };

/** Intervals of redrawing a line on a terminal, and of writing a line to a log. */
const TERMINAL_MS = 200;
const LINES_MS = 10_000;
/** An estimate of the remaining time is useless before this. */
const GUESS_AFTER_MS = 2_000;

/**
 * Shows progress and remaining time: on a terminal in one redrawn line, elsewhere in lines.
 * @param nowMs a monotonic clock, milliseconds
 */
export function createProgress(output: Output, nowMs: () => number) {
  let doing = "";
  let startMs = 0;
  let shownMs = 0;
  let isDrawn = false;

  function clear(): void {
    if (isDrawn) output.write("\r\u001B[K");
    isDrawn = false;
  }

  return {
    /**
     * @param what the current step, such as `Backing up`; its remaining time is estimated from its first call
     * @param fraction 0 to 1
     */
    show(what: string, { fraction, rows }: { fraction: number; rows: number }): void {
      const atMs = nowMs();
      if (what !== doing) {
        clear();
        [doing, startMs, shownMs] = [what, atMs, atMs];
        return;
      }
      if (atMs - shownMs < (output.isTTY === true ? TERMINAL_MS : LINES_MS)) return;
      shownMs = atMs;
      const line = [
        `${what}: ${Math.floor(Math.min(1, fraction) * 100)} %`,
        ...(rows > 0 ? [`${rows.toLocaleString("en-US")} rows`] : []),
        ...remaining(fraction, atMs - startMs),
      ].join(", ");
      if (output.isTTY === true) {
        output.write(`\r${line}\u001B[K`);
        isDrawn = true;
      } else output.write(`${line}\n`);
    },
    /** Ends the line, so that further output starts on a new one. */
    clear,
  };
}

function remaining(fraction: number, sinceMs: number): string[] {
  if (sinceMs < GUESS_AFTER_MS || fraction <= 0 || fraction >= 1) return [];
  const seconds = Math.ceil(((sinceMs / fraction) * (1 - fraction)) / 1000);
  return [`about ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`];
}

/** `1.2 MB`, in units of 1,000. */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
