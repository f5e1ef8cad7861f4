/** Error messages of connections. */

export const NO_CONNECTION = "No such connection.";
export const CHECKED_LATELY =
  "This connection was checked a moment ago. Try again in a few seconds.";
export const TOO_MANY_CHECKS = "You’ve checked six times within a minute. Try again shortly.";
export const SLUG_TAKEN =
  "This address is taken by another company, or by the history of one that was removed.";
export const TOO_MANY_CONNECTIONS =
  "Plumbline keeps at most 2,000 connections, including removed ones. To make room, forget removed companies: npm run companies -- forget.";
export const CONFIGURED =
  "This connection is configured on the server, by variables or CONNECTIONS_FILE, or belongs to the demo. It can’t be changed here.";
export const CHECK_FAILED =
  "The API can’t be used like this. Nothing was saved; the steps say what to do.";
export const NOT_CHECKED = "Nothing was saved, because the API couldn’t be checked right now.";
/** For an unknown property in a request. */
export const NOT_OF_CONNECTIONS = "isn’t a property of a connection";
export const NOT_AN_OWNER = "must be a person who can handle incidents there, by ID or email";

/** What each property of a request must be. */
export const RULES: Readonly<Record<string, string>> = {
  slug: "must be 1 to 40 of a-z, 0-9 and -, and not one of Plumbline’s own addresses",
  name: "must be 1 to 200 characters",
  base_url:
    "must be an http or https address without credentials, ? or #, such as https://host/api/v3",
  client_id: "must be 1 to 500 characters, without control characters",
  client_secret:
    "must be the secret itself, of 1 to 2,000 characters; it is needed to change base_url or client_id, and env:NAME works in CONNECTIONS_FILE only",
  time_zone: "must be a time zone such as Europe/Oslo",
  owner: NOT_AN_OWNER,
  external_id: "must be 1 to 100 characters",
  paused: "must be true or false",
  save_anyway: "must be true or false",
  rows: "must be a list of 1 to 500 connections",
  dry_run: "must be true or false",
};

export const importWords = {
  canConnect: "Can be connected.",
  saved: "Saved. Its first check follows.",
  sameSlug: (line: number) => `Line ${line} has the same address.`,
};
