import { decodeSegment } from "@/lib/domain/text/decode-segment";

/**
 * Subject of a company's page, from its address; determines whose data age counts as the partners'.
 */
export type PageSubject =
  | { kind: "company" }
  | { kind: "partner"; partnerName: string }
  | { kind: "endpoint"; endpointId: string }
  /** Its endpoints aren't in the address; the page sets them. */
  | { kind: "incident" };

/** @param path of the page, percent-encoded; a query is ignored */
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
 * @param shownIds ids set by the page; null: not set
 */
export function rowsAbout<R extends { id: string; partner_name: string }>(
  rows: readonly R[],
  subject: PageSubject,
  shownIds: ReadonlySet<string> | null,
): readonly R[] {
  switch (subject.kind) {
    case "company":
      return rows;
    case "partner":
      return rows.filter((row) => row.partner_name === subject.partnerName);
    case "endpoint":
      return rows.filter((row) => row.id === subject.endpointId);
    case "incident":
      return rows.filter((row) => shownIds?.has(row.id) ?? false);
  }
}
