const MAX_CHARACTERS = 300;

/** The `User-Agent` of a screen; null when there is none. */
export function userAgentOf(headers: Pick<Headers, "get">): string | null {
  const given = headers.get("user-agent")?.trim().slice(0, MAX_CHARACTERS);
  return given === undefined || given === "" ? null : given;
}
