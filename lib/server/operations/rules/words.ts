import { count } from "@/lib/domain/words/format";

/** Error messages for rules. */

export const NO_RULE = "There is no such rule.";
export const TOO_MANY_RULES = "There are too many rules. Remove one first.";
/** For an unknown property in a request. */
export const NOT_A_RULE = "can’t be part of a rule";
export const NO_MAIL = "Email isn’t set up in Plumbline, so alerts can’t be emailed.";

export const tooManyReminders = (most: number) =>
  `This would have sent more than ${count(most)} reminders in 30 days, too many to try out. Remind less often, or narrow the selection.`;
