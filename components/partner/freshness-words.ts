import { isPausedAtSource } from "@/lib/domain/sync";
import { overdueText, times } from "@/components/charts/words";

export const freshness = {
  heading: (past: string) => `Freshness, ${past}`,
  note: "Data age against cadence. The line marks when data was due; anything above it is overdue.",
  /** @param landings their number */
  label: (
    endpointKey: string,
    cadence: string,
    landings: number,
    overdue: Parameters<typeof overdueText>[0],
  ) =>
    `${endpointKey}: data age against a cadence of ${cadence}. ${received(landings)}, ${overdueText(overdue)}.`,
  /** Without a due time there is no line to draw age against. */
  noLine: (landings: number, status: string) => `${received(landings)}; ${noLineReason(status)}`,
};

function noLineReason(status: string): string {
  if (isPausedAtSource({ status })) return "inactive at the source, no data expected";
  return status === "webhook" ? "event-driven, no cadence" : "no cadence known";
}

function received(landings: number): string {
  return landings === 0 ? "No data received" : `Data received ${times(landings)}`;
}
