import {
  type ClaimRow,
  type ClaimContext,
  NAMES,
  MINUTE,
  COUNTS,
  isBehind,
  instant,
  landed,
  minute,
  lateness,
  isDue,
  isCurrent,
  isResting,
  isOverdueBesideQuiet,
  nameOf,
  hasWord,
  count,
  time,
  isSpan,
  listed,
  means,
  scheduled,
  isShare,
  hasFailed,
  isLimited,
  isRunning,
  outlasts,
  isStuck,
  awaited,
  hasMissed,
  upcoming,
  isUnknownBecause,
} from "./claim-rows-fixture";

type Check = (groups: readonly (string | undefined)[], context: ClaimContext) => boolean;

const dataOf = (row: ClaimRow | undefined, clause: string, nowMs: number) => {
  if (row === undefined) return false;
  const from =
    /what you see (?:there )?is from (.+); changes since then haven’t come through yet$/i.exec(
      clause,
    );
  if (from !== null) return time(from[1] ?? "", nowMs) === minute(landed(row));
  if (/^we haven’t seen any data yet$/i.test(clause)) return landed(row) === null;
  return /^its data is dated in the future, so we can’t say how old it is$/i.test(clause)
    ? (landed(row) ?? 0) > nowMs
    : false;
};
const wasSo = (state: string) =>
  state === "up to date" ? isCurrent : state.startsWith("due") ? isDue : isResting;
const only = ({ rows }: ClaimContext, is: (row: ClaimRow) => boolean) => {
  const found = rows.filter(is);
  return found.length === 1 ? found[0] : undefined;
};

/** Whether there was quiet time in the time that counts, or a sync is scheduled for it: that one is due at its end. */
const isQuiet = ({ judgement: { terms } }: ClaimRow, nowMs: number) =>
  terms.rests.some(
    ({ fromMs, untilMs }) =>
      fromMs < Math.max(nowMs, terms.nextMs ?? 0) && untilMs > nowMs - 9001 * MINUTE,
  );

/** Every sentence about feeds of one partner that may be in a paragraph, and when it is true. */
export const CLAIMS: readonly (readonly [RegExp, Check])[] = [
  [
    /^(Both|All \w+|\w+) of your (?:(\w+) )?\w+ feeds(?:, (.+),)? (?:is|are) behind(?:: (.+))?\.$/,
    ([many = "", total, one, names], context) => {
      const behind = context.rows.filter(isBehind);
      return (
        isShare(many, total, behind.length, context.rows.length) &&
        means(one ?? names, behind, context) &&
        (behind.length > 4 || (one ?? names) !== undefined)
      );
    },
  ],
  [
    /^(Both|All \w+|\w+) of your (?:(\w+) )?\w+ feeds (?:is|are) up to date(?:, and none is (known to be )?behind)?\.$/,
    ([many = "", total, careful], { rows }) =>
      isShare(many, total, rows.filter(isCurrent).length, rows.length) &&
      !rows.some(isBehind) &&
      (careful !== undefined) === (rows.some(hasWord("unknown")) && !rows.some(isDue)),
  ],
  [
    /^New data is due (?:now|any minute) for (?:both|all (\w+)) of your \w+ feeds\.$/,
    (_, { rows }) => rows.every(isDue),
  ],
  [
    /^We can’t say right now whether your (\w+) \w+ feeds are up to date(?:: (.+))?\.$/,
    ([many = "", why], { rows, nowMs }) =>
      count(many) === rows.length && rows.every((row) => isUnknownBecause(why, row, nowMs)),
  ],
  [
    /^(Both|All \w+) of your \w+ feeds are turned off in \w+, so no new data is expected\.$/,
    (_, { rows }) => rows.every(hasWord("paused")),
  ],
  [
    /^(?:Both|All \w+) of your \w+ feeds update in real time\.$/,
    (_, { rows }) => rows.every(hasWord("webhook")),
  ],
  [
    /^None of your (\w+) \w+ feeds is known to be behind\.$/,
    ([many = ""], { rows }) => count(many) === rows.length && !rows.some(isBehind),
  ],
  // The only feed.
  [
    /^Your \w+ feed “(.+)” is behind\.$/,
    ([name = ""], context) => listed(name, context).every(isBehind),
  ],
  [
    /^New data for your \w+ feed “(.+)” is due (?:now|any minute)\.$/,
    ([name = ""], context) => listed(name, context).every(isDue),
  ],
  [
    /^Your \w+ feed “(.+)” is up to date\.$/,
    ([name = ""], context) => listed(name, context).every(isCurrent),
  ],
  [
    /^Your \w+ feed “(.+)” updates in real time\.$/,
    ([name = ""], context) => listed(name, context).every(hasWord("webhook")),
  ],
  [
    /^Your \w+ feed “(.+)” is turned off in \w+, so no new data is expected\.$/,
    ([name = ""], context) => listed(name, context).every(hasWord("paused")),
  ],
  [
    /^We can’t say right now whether your \w+ feed “(.+)” is up to date(?:: (.+))?\.$/,
    ([name = "", why], context) =>
      listed(name, context).every((row) => isUnknownBecause(why, row, context.nowMs)),
  ],
  [
    /^We haven’t seen any changes yet\.$/,
    ({}, { rows }) => rows.every((row) => landed(row) === null),
  ],
  [
    /^What you see is from ([^;]+)\.$/,
    ([at = ""], { rows, nowMs }) => rows.every((row) => time(at, nowMs) === minute(landed(row))),
  ],
  // The data of those behind.
  [
    /^What you see there is from ([^;]+)\.$/,
    ([at = ""], { rows, nowMs }) =>
      rows.filter(isBehind).every((row) => time(at, nowMs) === minute(landed(row))),
  ],
  [
    /^The (.+) you see are from (.+); changes since then haven’t come through yet\.$/,
    ([name = "", at = ""], context) =>
      listed(name, context).every(
        (row) => isBehind(row) && time(at, context.nowMs) === minute(landed(row)),
      ),
  ],
  [
    /^((?:What you see|We haven’t seen any data yet|Its data)[^.]*)\.$/,
    ([clause = ""], context) => dataOf(only(context, isBehind), clause, context.nowMs),
  ],
  [
    /^(.+) (?:is|are) furthest behind: (.+)\.$/,
    ([name = "", clause = ""], context) => {
      const [row] = listed(name, context);
      const others = context.rows.filter((one) => isBehind(one) && one !== row);
      return (
        row !== undefined &&
        dataOf(row, clause, context.nowMs) &&
        others.every((one) => (lateness(one) ?? -Infinity) < (lateness(row) ?? -Infinity))
      );
    },
  ],
  [
    /^For (.+?), (.+)\.$/,
    ([name = "", clause = ""], context) => {
      const [row] = listed(name, context);
      return row !== undefined && isBehind(row) && dataOf(row, clause, context.nowMs);
    },
  ],
  [
    /^We haven’t seen any data for (.+) yet\.$/,
    ([names = ""], context) =>
      /^\w+ feeds$/.test(names)
        ? context.rows.filter((row) => isBehind(row) && landed(row) === null).length >=
          count(names.split(" ")[0] ?? "")
        : listed(names, context).every((row) => isBehind(row) && landed(row) === null),
  ],
  [
    /^(?:The other|(?=\w+ others)) ?(\w+)(?: others)? are (?:between (.+) and )?(.+) overdue\.$/,
    ([many = "", least, most = ""], { rows }) => {
      const spans = rows.filter((row) => isBehind(row) && (lateness(row) ?? 0) > 0).map(lateness);
      const is = (text: string) => spans.some((ms) => isSpan(text, ms));
      return spans.length >= count(many) && is(most) && (least === undefined || is(least));
    },
  ],
  [
    /^They’re up to (.+) overdue\.$/,
    ([most = ""], { rows }) =>
      isSpan(most, Math.max(...rows.filter(isDue).map((row) => lateness(row) ?? 0))),
  ],
  [
    /^(.+) (?:is|are) (\d{1,4} \w{3,7}(?: \d{1,4} \w{3,7})?|less than a minute) overdue(.*)\.$/,
    ([names = "", most = "", rest = ""], context) => {
      const isOverdue = (name: string, span: string) =>
        listed(name, context).every((row) => isBehind(row) && isSpan(span, lateness(row)));
      const others = rest.split(/, | and /).slice(1);
      return (
        isOverdue(names, most) &&
        (rest === "" || others.length > 0) &&
        others.every((other) => {
          const at = other.search(/\d|less than/);
          return isOverdue(other.slice(0, at - 1), other.slice(at));
        })
      );
    },
  ],
  // What their runs did.
  [
    /^Their last syncs didn’t complete\.$/,
    (_, { rows }) => rows.filter(isBehind).every((row) => hasFailed(row)),
  ],
  [
    /^The last syncs of (.+) didn’t complete\.$/,
    ([names = ""], context) => {
      const failed = context.rows.filter((row) => isBehind(row) && hasFailed(row) && !isStuck(row));
      return means(names, failed, context);
    },
  ],
  [
    /^(?:Its last sync|The last sync of (.+)) didn’t complete\.$/,
    ([name], context) =>
      (name === undefined ? context.rows : listed(name, context)).every(
        (row) => hasFailed(row) && !(row.known.failures_in_a_row >= 2),
      ),
  ],
  [
    /^(At least (?:its|the)|Its|The) last (\w+) syncs(?: of (.+))? failed\.$/,
    ([lead = "", many = "", name], context) =>
      (name === undefined ? context.rows : listed(name, context)).every(
        (row) =>
          hasFailed(row) &&
          row.known.failures_in_a_row === count(many) &&
          // Nothing is known of the runs before if none of those counted completed.
          lead.startsWith("At least") === (row.known.typical_duration_seconds === null),
      ),
  ],
  [
    /^(An? .*sync)(?: that normally takes (under a minute|up to .+))? has been running for (.+)\.$/,
    ([sync = "", usual, span = ""], { rows, nowMs }) => {
      const isMeant = ({ attributes }: ClaimRow) =>
        rows.length === 1 ? sync === "A sync" : NAMES[attributes.endpoint_key]?.[1] === sync;
      const row = rows.find((one) => isMeant(one) && isRunning(one));
      if (row === undefined) return false;
      const ranMs = nowMs - (instant(row.attributes.last_sync_started_at) ?? NaN);
      const seconds = row.known.typical_duration_seconds;
      const [many = "0", unit = ""] = span.split(" ");
      const unitMs = { d: 1440, h: 60, m: 1 }[unit.charAt(0)] ?? 0;
      const usualIsRight =
        usual === undefined ||
        (seconds !== null &&
          (usual === "under a minute" ? seconds < 60 : seconds >= 60 && seconds * 1000 < ranMs));
      return Math.floor(ranMs / (unitMs * MINUTE)) === Number(many) && usualIsRight;
    },
  ],
  [
    /^Syncs of (\w+) feeds are taking longer than usual\.$/,
    ([many = ""], { rows }) =>
      rows.filter((row) => isBehind(row) && isRunning(row) && isStuck(row)).length === count(many),
  ],
  [
    /^\w+ limits how many requests we can make, and the last syncs?(?: of (.+))? reached that limit\.$/,
    ([names], context) => {
      const limited = context.rows.filter(
        (row) => isLimited(row) && row.known.reported && row.word !== "paused",
      );
      return limited.length > 0 && means(names, limited, context);
    },
  ],
  // What else there is.
  [
    /^(.+) (?:is|are) due (now|any minute)\.$/,
    ([names = "", when], context) => {
      const due = context.rows.filter(isDue);
      const starts = ({ attributes }: ClaimRow) =>
        (instant(attributes.next_sync_at) ?? Infinity) <= context.nowMs + 5 * MINUTE;
      const isSoon = due.every((row) => (isRunning(row) || starts(row)) && !hasFailed(row));
      return (
        means(
          names.replace(/^\w/, (c) => c),
          due,
          context,
        ) &&
        (when === "now" || isSoon)
      );
    },
  ],
  [
    /^We can’t say whether (\w+) feeds are up to date(?:: (.+))?\.$/,
    ([many = "", why], { rows, nowMs }) => {
      const unknown = rows.filter(hasWord("unknown"));
      return (
        count(many) === unknown.length && unknown.every((row) => isUnknownBecause(why, row, nowMs))
      );
    },
  ],
  [
    /^We can’t say whether (.+?) (?:is|are) up to date(?:: (.+))?\.$/,
    ([name = "", why], context) =>
      listed(name, context).every((row) => isUnknownBecause(why, row, context.nowMs)),
  ],
  [
    /^From (?:its|their) history, we expect no new data(?: for (.+?))? (?:on|from|at) .+\.$/,
    ([names], context) => {
      const spokenOf = context.rows.some(isBehind) ? context.rows.filter(isBehind) : context.rows;
      const quiet = spokenOf.filter(isOverdueBesideQuiet);
      const isTrue = quiet.every((row) => isQuiet(row, context.nowMs));
      return quiet.length > 0 && isTrue && means(names, quiet, context);
    },
  ],
  [
    /^No new data is expected yet for (?:your \w+ feed “(.+)”|(either|any) of your \w+ feeds|(.+?)): judging by (?:its|their) history, (?:it’s|they’re) quiet (?:on|from|at) .+\.$/,
    ([name, many, names], context) => {
      const { nowMs, rows } = context;
      const resting = rows.filter(isResting);
      const areAll = resting.length === rows.length;
      return (
        resting.length > 0 &&
        !rows.some(isBehind) &&
        resting.every((row) => isQuiet(row, nowMs)) &&
        (name === undefined || (rows.length === 1 && nameOf(resting[0] as ClaimRow) === name)) &&
        (many === undefined || (areAll && (many === "either") === (rows.length === 2))) &&
        means(names, resting, context)
      );
    },
  ],
  // What comes next.
  [
    /^Nothing is scheduled until (?:it’s|they’re) turned back on\.$/,
    (_, { rows }) => rows.every(hasWord("paused")),
  ],
  [
    /^(?:A sync|Syncs)(?: of (.+))? (?:is|are) running now; (once it finishes|as they finish|if it succeeds,|if they succeed,) you’ll see new data\.$/,
    ([names, when = ""], context) => {
      const running = awaited(context).filter((row) => isRunning(row) && !isStuck(row));
      return (
        means(names, running, context) &&
        when.startsWith("if ") ===
          running.some((row) => hasFailed(row) || outlasts(row, context.nowMs))
      );
    },
  ],
  [
    /^The next (attempt|sync)s?(?: of (.+?))? (?:was|were) due ((?:by |at |on )?.+?) and (should start soon|hasn’t started; we’re monitoring it|haven’t started; we’re monitoring it)\.$/,
    ([noun, names, at = "", then = ""], context) => {
      const { nowMs, rows } = context;
      const graceOf = ({ judgement }: ClaimRow) => judgement.terms.graceMs ?? 0;
      const missed = awaited(context).filter((row) => {
        const overMs = nowMs - (instant(row.attributes.next_sync_at) ?? nowMs);
        return hasMissed(row, nowMs) && overMs <= graceOf(row) === then.startsWith("should");
      });
      const dueAt = missed.map(({ attributes }) => minute(instant(attributes.next_sync_at)) ?? 0);
      return (
        missed.length > 0 &&
        (noun === "attempt") === rows.some(isBehind) &&
        means(names, missed, context) &&
        (names !== undefined || missed.length === awaited(context).length) &&
        time(at.replace(/^by /, ""), nowMs) === Math.max(...dueAt) &&
        (at.startsWith("by ") || new Set(dueAt).size === 1)
      );
    },
  ],
  [
    /^(The next|Another|Others)(?: (?:attempt|sync)s?)?(?: of (.+?))? (?:is|are) scheduled (?:for|between) (.+?)(?: and (.+))?\.$/,
    ([start, names, from = "", until], context) => {
      const times = upcoming(context);
      const isAmbiguous =
        context.rows.some(isBehind) && context.rows.some(({ word }) => word === "unknown");
      return (
        (names !== undefined || !isAmbiguous || start !== "The next") &&
        means(names, scheduled(context), context) &&
        time(from, context.nowMs) === times[0] &&
        (until === undefined || time(until, context.nowMs) === times.at(-1))
      );
    },
  ],
  [
    /^No time is set for the next (?:attempt|sync)(?: of (.+))?; we’re monitoring it\.$/,
    ([names], context) => upcoming(context).length === 0 && means(names, awaited(context), context),
  ],
  [
    /^(?:(.+?) updates? in real time)?(?:(?: and )?(\w+) (?:is|are) turned off in \w+)?\.$/,
    ([pushed, off], context) => {
      const webhooks = context.rows.filter(hasWord("webhook"));
      const many = pushed === undefined ? -1 : COUNTS.indexOf(pushed.toLowerCase());
      const isPushed =
        pushed === undefined ||
        (many > 1 ? many === webhooks.length : means(pushed, webhooks, context));
      const isOff =
        off === undefined || count(off) === context.rows.filter(hasWord("paused")).length;
      return (pushed ?? off) !== undefined && isPushed && isOff;
    },
  ],
  [
    /^All of this is as of (.+)\.$/,
    ([at = ""], { asOfMs, nowMs }) => time(at, nowMs) === minute(asOfMs),
  ],
  // The last known state.
  [
    /^(?:We haven’t been able to check .+ since|Our latest information about .+ is from) (.+)\.$/,
    ([at = ""], { asOfMs, nowMs }) => time(at, nowMs) === minute(asOfMs),
  ],
  [
    /^At that point, (both|all \w+|\w+) of your (?:(\w+) )?feeds(?:, (.+),)? (?:was|were) behind(?:: (.+))?\.$/,
    ([many = "", total, one, names], context) => {
      const behind = context.rows.filter(isBehind);
      return (
        isShare(many, total, behind.length, context.rows.length) &&
        means(one ?? names, behind, context)
      );
    },
  ],
  [
    /^At that point, (both|all \w+|\w+) of your (?:(\w+) )?feeds (?:was|were) (up to date|due for an update|not yet due for an update)(?:,? (?:and )?(\w+) (?:was|were) due for an update)?(?:,? and (\w+) (?:was|were) not yet due for an update)?\.$/,
    ([many = "", total, state = "", due, resting], { rows }) =>
      !rows.some(isBehind) &&
      isShare(many, total, rows.filter(wasSo(state)).length, rows.length) &&
      count(due ?? "no") === (state.startsWith("due") ? 0 : rows.filter(isDue).length) &&
      count(resting ?? "no") === (state.startsWith("not") ? 0 : rows.filter(isResting).length),
  ],
  [
    /^It was (behind|up to date|due for an update|not yet due for an update) then\.$/,
    ([state = ""], { rows }) => rows.every(state === "behind" ? isBehind : wasSo(state)),
  ],
  [/^We don’t know what has changed since\.$/, () => true],
  [/^We’re still checking\.$/, () => true],
];

/** The sentences of a paragraph. */
export const sentencesIn = (paragraph: string) => paragraph.split(/(?<=\.) (?=\p{Lu}|\d)/u);

/** The sentence's first form that it has, if that is true of the rows; otherwise why not. */
export function problemOf(sentence: string, context: ClaimContext): string | null {
  for (const [form, isTrue] of CLAIMS) {
    const found = form.exec(sentence);
    if (found === null) continue;
    return isTrue(found.slice(1), context) ? null : `not true: ${sentence} (${form.source})`;
  }
  return `can’t be read: ${sentence}`;
}
