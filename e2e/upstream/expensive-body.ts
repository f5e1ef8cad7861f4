import { sampleRows } from "./sample-rows";

/**
 * Shapes of valid JSON that are disproportionately expensive to parse, to validate, or to report
 * errors about.
 */
export const EXPENSIVE_SHAPES = [
  /** A list of `{}`: millions of rows, each invalid in several ways. */
  "empty_rows",
  /** A list of thousands of valid rows too many. */
  "valid_rows",
  "deep_arrays",
  "deep_objects",
  "numbers",
  /** One object with distinct property names. */
  "members",
  /** A row whose name is nearly the whole body. */
  "one_text",
  /** Mostly whitespace. */
  "blanks",
] as const;
export type ExpensiveShape = (typeof EXPENSIVE_SHAPES)[number];

/** A cache of the last one: most are requested several times in a row. */
let last: { of: string; body: Buffer } = { of: "", body: Buffer.alloc(0) };

/** A body of just under `bytes`. */
export function expensiveBody(shape: ExpensiveShape, bytes: number): Buffer {
  const of = `${shape} ${bytes}`;
  if (last.of !== of) last = { of, body: built(shape, bytes) };
  return last.body;
}

function built(shape: ExpensiveShape, bytes: number): Buffer {
  switch (shape) {
    case "empty_rows":
      return repeated('{"data":[', "{},", `{}],${META}}`, bytes);
    case "valid_rows":
      return numbered(
        '{"data":[',
        (n) => `${row(`sc-${n}`, "Procore")},`,
        `${row("sc", "Procore")}],${META}}`,
        bytes,
      );
    case "deep_arrays":
      return Buffer.from("[".repeat(bytes / 2) + "]".repeat(bytes / 2));
    case "deep_objects":
      return Buffer.from(`${'{"a":'.repeat(bytes / 6)}0${"}".repeat(bytes / 6)}`);
    case "numbers":
      return repeated("[", "0,", "0]", bytes);
    case "members":
      return numbered("{", (n) => `"m${n}":0,`, '"m":0}', bytes);
    case "one_text":
      return Buffer.from(`{"data":[${row("sc-1", "x".repeat(bytes - 500))}],${META}}`);
    case "blanks":
      return Buffer.from(`{"data":[${" ".repeat(bytes - 100)}],${META}}`);
  }
}

/** Describes one row, whatever the data. */
const META = '"meta":{"page":1,"per_page":100,"total_count":1,"total_pages":1}';

function row(id: string, partner: string): string {
  const [sample] = sampleRows(1, 0);
  return JSON.stringify({
    ...sample,
    id,
    attributes: { ...sample?.attributes, partner_name: partner },
  });
}

function repeated(head: string, piece: string, tail: string, bytes: number): Buffer {
  const room = bytes - head.length - tail.length;
  return Buffer.from(head + piece.repeat(room / piece.length) + tail);
}

/** As many distinct pieces between head and tail as fit. */
function numbered(head: string, piece: (n: number) => string, tail: string, bytes: number): Buffer {
  let text = head;
  for (let n = 0; ; n += 1) {
    const next = piece(n);
    if (text.length + next.length + tail.length > bytes) return Buffer.from(text + tail);
    text += next;
  }
}
