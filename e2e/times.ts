/** Patterns of times as pages show them: with their day unless it is the reader's today, as tests may run around midnight. */

/** "18:20", "Wed 18:20" or "Wed 18 Nov, 18:20". */
export const TIME = String.raw`(?:\w{3}(?: \d+ \w{3},)? )?\d\d:\d\d`;

/** After a verb: "at 18:20", "at Wed 18:20" or "on Wed 18 Nov at 18:20". */
export const AT_TIME = String.raw`(?:on \w{3} \d+ \w{3} )?at ${TIME}`;
