/** Answers in Slack, which only the person who pressed sees, and error messages of linked accounts. */

export const notLinked = (minutes: number) =>
  `Slack doesn’t know yet who you are in Plumbline. Open this link within ${minutes} minutes, sign in and confirm, then press the button again.`;
export const ACCOUNT_ENDED =
  "The Plumbline account linked to your Slack account is closed. Open this link to link another one.";
export const LINK = "Link your Plumbline account";
export const RESTING =
  "You haven’t signed in to Plumbline for 30 days. Sign in once, then press the button again.";
export const OPEN_PLUMBLINE = "Open Plumbline";
export const NO_RIGHT =
  "You don’t have the right to acknowledge this. An administrator can give it to you.";
export const HAS_ENDED = "This has already ended, so there’s nothing to acknowledge.";
export const NOT_SENT_ANY_MORE =
  "This channel’s rules no longer cover this, so it can’t be acknowledged here. Open it in Plumbline.";
export const NOT_SENT_HERE =
  "The settings of this channel have changed since, so this can’t be acknowledged here. Open it in Plumbline.";
export const TOO_OLD = "This message is too old to act on. Open it in Plumbline.";
export const YOURS = "You’ve already acknowledged this.";
export const takenBy = (name: string) => `${name} has already acknowledged this.`;
export const TAKEN = "This has already been acknowledged.";

export const NO_INVITATION =
  "This link has expired or was already used. Press the button in Slack again.";
export const NO_ACCOUNT = "No such Slack account.";
/** For an unknown property in a request. */
export const NOT_OF_SLACK = "can’t be part of this";
