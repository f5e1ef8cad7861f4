import type { Period } from "@/lib/domain/history";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { IncidentTimeline } from "./incident-timeline";
import type { Rule } from "./rule";

/**
 * At most how many reminders of an incident a rule wants within a period: only while it is open and no one has
 * acknowledged it.
 */
export function mostReminders(
  { phases }: Pick<IncidentTimeline, "phases">,
  { remind_every_minutes: everyMinutes }: Pick<Rule, "remind_every_minutes">,
  { fromMs, untilMs }: Period,
): number {
  if (everyMinutes === null) return 0;
  let unattendedMs = 0;
  for (const [index, phase] of phases.entries()) {
    if (!phase.isOpen || phase.acknowledgedBy !== null) continue;
    const endMs = Math.min(phases[index + 1]?.fromMs ?? Infinity, untilMs);
    unattendedMs += Math.max(0, endMs - Math.max(phase.fromMs, fromMs));
  }
  return Math.ceil(unattendedMs / (everyMinutes * MINUTE_MS));
}
