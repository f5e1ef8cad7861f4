import type { Steps } from "@/lib/domain/steps";

/**
 * JSON of an object of which one list is long: the same text as by `JSON.stringify`, but the list's items are converted
 * one at a time.
 * @param view plain data
 */
export function* longJson<T extends object>(view: T, list: keyof T & string): Steps<string> {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(view)) {
    const text = name === list ? yield* listJson(value) : JSON.stringify(value);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join(",")}}`;
}

function* listJson(items: readonly unknown[]): Steps<string> {
  const texts: string[] = [];
  for (const item of items) {
    texts.push(JSON.stringify(item) ?? "null");
    yield;
  }
  return `[${texts.join(",")}]`;
}
