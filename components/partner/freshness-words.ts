export const freshness = {
  heading: (past: string) => `Freshness, ${past}`,
  note: "Data age against cadence. The line marks when data was due; anything above it is overdue.",
  /** @param landings, overdue and gaps: number of each */
  label: (
    endpointKey: string,
    cadence: string,
    { landings, overdue, gaps }: { landings: number; overdue: number; gaps: number },
  ) =>
    `${endpointKey}: data age against a cadence of ${cadence}. ${received(landings)}, ${overdue === 0 ? "never overdue" : `overdue ${times(overdue)}`}${gaps === 0 ? "" : `, ${gaps} ${gaps === 1 ? "gap" : "gaps"} not checked`}.`,
  /** Without a due time there is no line to draw age against. */
  noLine: (landings: number, status: string) => `${received(landings)}; ${noLineReason(status)}`,
};

function noLineReason(status: string): string {
  if (status === "inactive") return "inactive at the source, no data expected";
  return status === "webhook" ? "event-driven, no cadence" : "no cadence known";
}

function received(landings: number): string {
  return landings === 0 ? "No data received" : `Data received ${times(landings)}`;
}

function times(amount: number): string {
  return amount === 1 ? "once" : `${amount} times`;
}
