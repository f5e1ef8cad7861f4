import type { Steps } from "@/lib/domain/steps";
import { inSlices } from "@/lib/server/slices";
import type { PlainResponse } from "./handler-response";

/** Characters that are encoded at once. */
const MIN_PIECE = 32_768;
const encoder = new TextEncoder();

/**
 * JSON of an object of which one list is long: the same bytes as of `JSON.stringify`, but the list's items are converted
 * one at a time, and nothing is ever copied as a whole.
 * @param view plain data
 * @param list names the list, and after it a list of each of its items that is long too
 */
export function* longJson<T extends object>(
  view: T,
  ...list: [keyof T & string, ...string[]]
): Steps<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let text = "";
  for (const part of objectParts(view, list)) {
    text += part;
    if (text.length >= MIN_PIECE) {
      pieces.push(encoder.encode(text));
      text = "";
    }
    yield;
  }
  pieces.push(encoder.encode(text));
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
    yield;
  }
  return whole;
}

/** It as a response, made in slices. @param list see `longJson` */
export async function longJsonResponse<T extends object>(
  view: T,
  ...list: [keyof T & string, ...string[]]
): Promise<PlainResponse> {
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: await inSlices(longJson(view, ...list)),
  };
}

function* objectParts(
  view: object,
  [list, ...inner]: readonly string[],
): Generator<string, void, void> {
  let before = "{";
  for (const [name, value] of Object.entries(view)) {
    const start = `${before}${JSON.stringify(name)}:`;
    if (name === list && Array.isArray(value)) {
      yield start;
      yield* listParts(value, inner);
    } else {
      const text = JSON.stringify(value);
      if (text === undefined) continue;
      yield start + text;
    }
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* listParts(items: readonly unknown[], inner: readonly string[]) {
  let before = "[";
  for (const item of items) {
    if (inner.length > 0 && isObject(item)) {
      yield before;
      yield* objectParts(item, inner);
    } else yield before + (JSON.stringify(item) ?? "null");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function isObject(item: unknown): item is object {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}
