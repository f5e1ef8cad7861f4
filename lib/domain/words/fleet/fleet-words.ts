import type { VisibleFleet } from "@/lib/domain/fleet-incidents/visible";
import type { IncidentEnding } from "@/lib/domain/incidents/incident";
import { listed } from "@/lib/domain/text/listed";
import { ENDING_SENTENCE, type Spoken } from "@/lib/domain/words/incident-words";

/** Text about fleet incidents. Names are those of customers. */

/** "Behind at 9 customers" */
export function fleetOpenedText(companies: number): string {
  return `Behind at ${companies} customers`;
}

/** @param isAgain whether it had left before */
export function fleetJoinedText(name: string, isAgain: boolean): string {
  return isAgain ? `${name} is behind again` : `${name} is behind too`;
}

/** How a customer's incident ended. */
export function fleetLeftText(name: string, ending: Spoken<IncidentEnding>): string {
  return ending === "recovered" ? `${name} recovered` : `${name}: ${ENDING_SENTENCE[ending]}`;
}

/** A customer that is behind for longer than the others. */
export function fleetAloneText(name: string): string {
  return `${name} is still behind, and is now on its own`;
}

/** A customer that left without an ending, because its connection was removed. */
export function fleetDisconnectedText(name: string): string {
  return `${name} was disconnected`;
}

const ENDED: Readonly<Record<IncidentEnding | "alone", string>> = {
  recovered: "recovered",
  paused: "paused",
  removed: "removed",
  became_webhook: "now by webhook",
  expected: "in planned quiet",
  schedule_changed: "with a changed schedule",
  eased: "improved",
  mixed: "with mixed endings",
  alone: "still behind",
};

/** "Over: 8 recovered, 1 paused and 1 still behind" */
export function fleetEndedText(ended: VisibleFleet["ended"]): string {
  const counts = Object.entries(ENDED).flatMap(([ending, word]) => {
    const count = ended[ending as IncidentEnding | "alone"] ?? 0;
    return count === 0 ? [] : `${count} ${word}`;
  });
  return `Over: ${listed(counts)}`;
}

export const fleetBlindText = (name: string) => `We lost sight of ${name}`;
export const fleetSeenText = (name: string) => `We can see ${name} again`;

/** What a person did about a customer's incident; follows their name. @param note null: none */
export function fleetActText(
  kind: "acknowledged" | "unacknowledged",
  name: string,
  note: string | null,
): string {
  const act = kind === "acknowledged" ? `is on it at ${name}` : `is no longer on it at ${name}`;
  return note === null ? act : `${act}: ${note}`;
}
