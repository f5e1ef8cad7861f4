/** Error messages for share links. */

export const NO_LINK = "No such share link.";
export const OVER = "This link is no longer active. Create a new one.";
export const TOO_MANY_LINKS = "You have too many open links for this company. Revoke some first.";
export const NO_INCIDENT = "No such incident.";
export const NO_PARTNER = "No such partner.";
export const NOTHING_YET = "We haven’t seen this company’s data yet. Try again in a minute.";
export const ONE_THING = "A link shows either a partner or an incident: send one of the two.";
/** For an unknown property in a request. */
export const NOT_SHARED = "can’t be shared or set here";

/** Page for a client that tried too many unknown links. */
export const limited = {
  title: "Too many attempts",
  sentence: "Too many links that don’t exist were tried from your network. Try again later.",
};
