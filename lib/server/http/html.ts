import { sharedState } from "@/lib/server/shared-state";

/** HTML produced by `html`, in which all other content is escaped. */
export type Html = { readonly html: string };

type Part = Html | string | number | false | null | undefined | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * HTML without a framework, for static pages: interpolated values are escaped, except its own
 * output. Attributes must be quoted.
 */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: onOneLine(fixed) }, ...parts.map(textOf)) };
}

/** Line breaks of the source are insignificant, so they aren't sent. */
function onOneLine(fixed: TemplateStringsArray): readonly string[] {
  return sharedState(fixed, "on one line", () =>
    fixed.map((text) => text.split(/\n\s*/).map(withoutEnd).join(" ")),
  );
}

/** A line without trailing spaces, unless it is the last. */
const withoutEnd = (line: string, at: number, { length }: readonly string[]) =>
  at < length - 1 ? line.trimEnd() : line;

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  if ("html" in part) return part.html;
  return part.map(textOf).join("");
}

/** Escapes text for HTML and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
