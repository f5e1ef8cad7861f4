import { MAX_DEADLINES, MAX_PER_SCOPE } from "@/lib/domain/deadlines/deadline";
import { count, counted } from "@/lib/domain/words/format";

/** Error messages for promises. */

export const NO_PROMISE = "There is no such promise.";
export const TOO_MANY = `A company can have at most ${count(MAX_DEADLINES)} promises.`;
export const TOO_MANY_FOR_ONE = `At most ${count(MAX_PER_SCOPE)} promises can apply to the same feed, the same partner or all of a customer’s feeds.`;
export const BAD_ZONE = "must be a time zone such as Europe/Oslo";
export const PAST_DAY = "can’t be before today: the past can be rehearsed, not promised";
export const PAST_END = "can’t be before today: the promise would never apply";
export const AT_MIDNIGHT = "can’t be 00:00 without an allowance: the day starts then";
export const NO_DAY = "leaves none of its days: the promise would never apply";
export const BEFORE_SINCE = "can’t be before since";
export const BAD_PROMISE = "must be the id of a promise";
/** @param most days */
export const tooLong = (most: number) => `must be at most ${most} days after since`;
/** Of a rehearsal. @param given.days that can be rehearsed at once, up to the last one */
export const tooMuchHistory = ({ feeds, days }: { feeds: number; days: number }) =>
  days === 0
    ? `The history of ${counted(feeds, "feed")} is too much to check at once. Choose a feed or a partner.`
    : `The history of ${counted(feeds, "feed")} can be checked for ${counted(days, "day")} at once. Choose a shorter time, a feed or a partner.`;
export const FILE_WITHOUT_COLUMNS =
  "The first line must name the columns by, time_zone and days or month_days.";
/** @param name of a column */
export const unknownColumn = (name: string) => `There is no column ${name}.`;
/** @param given.line in the file, from 1 */
export const badLine = ({ line, message }: { line: number; message: string }) =>
  `Line ${line}: ${message} Nothing was imported.`;
/** "“by” is missing or not valid." @param given.name of a column */
export const badColumn = ({ name, must }: { name: string; must: string }) => `“${name}” ${must}.`;
/** @param line of the first of the two */
export const sameAsLine = (line: number) => `It is the same promise as in line ${line}.`;
/** Of a line that could be a change of any of `amount` promises. */
export const severalAlike = (amount: number) =>
  `There are ${amount} promises with this scope, time, days, zone and first day. Edit them one by one.`;
/** @param lines that fit, without the header */
export const fileTooLarge = (lines: number) =>
  `The file is larger than 64 KB. Its first ${lines === 1 ? "line fits" : `${count(lines)} lines fit`}.`;
