/** Notification payload for each write to a company's record: the company and its new version. */
type Written = { company: string; version: number };

export function encodeWritten({ company, version }: Written): string {
  return `${version} ${company}`;
}

/** @param payload from `encodeWritten` */
export function decodeWritten(payload: string): Written {
  const at = payload.indexOf(" ");
  return { version: Number(payload.slice(0, at)), company: payload.slice(at + 1) };
}
