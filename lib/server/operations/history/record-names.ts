import { Failure } from "@/lib/contracts/failure";
import { decodeSegment } from "@/lib/domain/text/decode-segment";

/**
 * A name or id from the address; Next has already percent-decoded it.
 * @throws Failure `not_found` for a segment that we never write
 */
export function nameFromParam(param: string | undefined): string {
  const name = param === undefined ? null : decodeSegment(encodeURIComponent(param));
  // PostgreSQL text can't contain a NUL character.
  return name === null || name.includes("\0") ? notOnRecord() : name;
}

/** Of an instant before the history that is kept. */
export const NO_HISTORY = "There is no history of that time.";

/** @throws Failure `not_found` */
export function notOnRecord(): never {
  throw new Failure("not_found", "No record of that name.");
}
