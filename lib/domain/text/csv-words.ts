/** Why a CSV file can't be read. */

export const OPEN_QUOTE = "A quote that opens here isn’t closed at the end of its cell.";
/** @param name of a column */
export const repeatedColumn = (name: string) => `There is more than one column ${name}.`;
