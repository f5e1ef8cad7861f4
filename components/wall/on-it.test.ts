import { describe, expect, it } from "vitest";
import { row } from "@/lib/domain/row-fixture";
import type { WallIncidentsView } from "@/lib/contracts/wall";
import { NOW_MS, agedRow, minutesAgo } from "@/lib/domain/row-fixture";
import { verdict } from "@/lib/domain/verdict";
import { company, modelOf, view } from "./wall-fixture";

const late = (id: string, minutes: number) => {
  const one = agedRow(minutes, { id, endpoint_key: id, partner_name: "Procore" });
  return { ...one, verdict: verdict(one, one.known, NOW_MS).word };
};
const ROWS = [late("worst", 600), late("second", 300), late("least", 90), row({ id: "calm" })];

/** Open incidents of Procore: their members, and who acknowledged them; null: no one did. */
type Given = readonly { ids: readonly string[]; by: { by: string | null } | null }[];

type Quiet = WallIncidentsView["quiet"];

const incidentsOf = (given: Given, quiet: Quiet): WallIncidentsView => ({
  open: given.map(({ ids, by }, at) => ({
    id: at + 1,
    partner_name: "Procore",
    members: ids.map((id) => ({ endpoint_id: id, began_at: minutesAgo(60) })),
    acknowledged: by,
  })),
  quiet,
});

function problemsWith(given: Given | null, quiet: Quiet = []) {
  const incidents = given === null ? null : incidentsOf(given, quiet);
  const { main } = modelOf([{ ...company("Northgate", view(ROWS)), incidents }]);
  if (main.kind !== "problems") throw new Error("no problems");
  return main.rows;
}
const names = (rows: ReturnType<typeof problemsWith>) => rows.map(({ endpoint }) => endpoint);

describe("acknowledgement of a problem", () => {
  it("is shown beside it, and unacknowledged problems come first", () => {
    const rows = problemsWith([
      { ids: ["worst", "gone"], by: { by: "Ana" } },
      { ids: ["second"], by: null },
    ]);
    expect(names(rows)).toEqual(["second", "least", "worst"]);
    expect(rows[2]?.facts[1]).toBe("acknowledged by Ana");
    expect(
      rows
        .slice(0, 2)
        .flatMap(({ facts }) => facts)
        .join(),
    ).not.toContain("acknowledged by");
  });

  it("is anonymous on a display that does not show people", () => {
    const rows = problemsWith([{ ids: ["worst"], by: { by: null } }]);
    expect(names(rows)).toEqual(["second", "least", "worst"]);
    expect(rows[2]?.facts[1]).toBe("acknowledged");
  });

  it("changes nothing when there is none, or while it is unknown", () => {
    expect(problemsWith(null)).toEqual(problemsWith([]));
    expect(names(problemsWith(null))).toEqual(["worst", "second", "least"]);
  });
});

describe("a planned quiet time of a problem", () => {
  it("is shown beside it, which is listed after the others", () => {
    const rows = problemsWith([], [{ partner: null, endpoint_id: "worst" }]);
    expect(names(rows)).toEqual(["second", "least", "worst"]);
    expect(rows.map(({ facts }) => facts[1] === "in planned quiet")).toEqual([false, false, true]);
  });

  it("changes nothing for feeds of other partners", () => {
    expect(problemsWith([], [{ partner: "Sage", endpoint_id: null }])).toEqual(problemsWith([]));
  });

  it("isn't shown beside the last known verdict", () => {
    const incidents = incidentsOf([], [{ partner: null, endpoint_id: null }]);
    const shown = { ...company("Northgate", view(ROWS, { confidence: "blind" })), incidents };
    expect(JSON.stringify(modelOf([shown]))).not.toContain("planned quiet");
  });
});
