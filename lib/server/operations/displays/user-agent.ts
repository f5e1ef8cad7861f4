const MOST_CHARACTERS = 300;

/** What a screen's browser calls itself; null when it does not say. */
export function userAgentOf(headers: Pick<Headers, "get">): string | null {
  const given = headers.get("user-agent")?.trim().slice(0, MOST_CHARACTERS);
  return given === undefined || given === "" ? null : given;
}
