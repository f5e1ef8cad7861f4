/** Of the promise's panel while it loads, as a class: three lines and a heading. */
export const PROMISE_HEIGHT = "min-h-[104px]";
