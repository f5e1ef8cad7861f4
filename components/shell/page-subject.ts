import { decodeSegment } from "@/lib/domain/decode-segment";

/** What a page of a company is about, as its address says; it decides whose data is told as the partners'. */
export type PageSubject =
  | { kind: "company" }
  | { kind: "partner"; partnerName: string }
  | { kind: "endpoint"; endpointId: string }
  /** Which endpoints it is about the address doesn't say; the page does. */
  | { kind: "incident" };

/** @param path of the page, percent-encoded; what stands behind a question mark doesn't count */
export function pageSubject(path: string): PageSubject {
  const [, , page, first, second] = (path.split("?")[0] ?? "").split("/");
  if (page === "incidents" && first !== undefined) return { kind: "incident" };
  if (page !== "partners" || first === undefined) return { kind: "company" };
  return second === undefined
    ? { kind: "partner", partnerName: decodeSegment(first) ?? "" }
    : { kind: "endpoint", endpointId: decodeSegment(second) ?? "" };
}

/**
 * The rows that a page is about.
 * @param told ids of those that the page itself is about; null: it has not said
 */
export function rowsAbout<R extends { id: string; partner_name: string }>(
  rows: readonly R[],
  subject: PageSubject,
  told: ReadonlySet<string> | null,
): readonly R[] {
  switch (subject.kind) {
    case "company":
      return rows;
    case "partner":
      return rows.filter((row) => row.partner_name === subject.partnerName);
    case "endpoint":
      return rows.filter((row) => row.id === subject.endpointId);
    case "incident":
      return rows.filter((row) => told?.has(row.id) ?? false);
  }
}
