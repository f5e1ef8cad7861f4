// Looks of a table that compares then and now. Its "then" is sunken as well.

const ANY = "border-b px-3 text-left whitespace-nowrap max-sm:p-1.5 max-sm:whitespace-normal";

/** Of a column's head. */
export const HEAD = `h-7 border-line-strong text-2xs/4.5 font-normal text-ink-3 ${ANY}`;

/** Of a row's head. */
export const ROW_HEAD = `h-[38px] border-line text-[12.5px] font-normal max-sm:wrap-anywhere ${ANY}`;

export const CELL = `h-[38px] border-line ${ANY}`;
