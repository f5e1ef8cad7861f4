/**
 * When an incident was opened, as far as that can be true. Opened while its API's clock was ahead, it lies after the last
 * observation once that clock was set back; then it counts from when its trouble began. Instants are epoch milliseconds
 * on one axis.
 */
export function credibleOpeningMs(
  { openedMs, beganMs }: { openedMs: number; beganMs: number },
  observedMs: number,
): number {
  return openedMs <= observedMs ? openedMs : Math.min(beganMs, observedMs);
}
