import { readFileSync } from "node:fs";
import { z } from "zod";

export type Env = Readonly<Record<string, string | undefined>>;

const whole = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(least).max(most));

export const parseUrl = (text: string) => (URL.canParse(text) ? new URL(text) : null);

/** An http or https address without credentials, query and hash; without trailing slashes. */
export const httpUrl = z.string().transform((text, context) => {
  const url = parseUrl(text);
  if (
    url === null ||
    !["http:", "https:"].includes(url.protocol) ||
    url.username !== "" ||
    url.password !== "" ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    context.addIssue({ code: "custom" });
    return z.NEVER;
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
});

/** Variables as they are read one after the other, and what was wrong with them. */
export type Environment = ReturnType<typeof readEnvironment>;

/** Reads variables; an empty value counts as not given. Bad ones are noted, and the fallback stands in for them. */
export function readEnvironment(env: Env) {
  const problems: string[] = [];
  const given = (name: string) => env[name]?.trim() || undefined;

  function variable<T>(name: string, schema: z.ZodType<T, string>, fallback: T, rule: string): T {
    const text = given(name);
    if (text === undefined) return fallback;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    problems.push(`${name}: ${rule}`);
    return fallback;
  }

  /** Variables that only make sense together: all of them, or none. */
  function together(names: readonly string[]): boolean {
    const missing = names.filter((name) => given(name) === undefined);
    if (missing.length === names.length) return false;
    for (const name of missing) {
      problems.push(
        `${name}: must be set together with ${names.filter((n) => n !== name).join(" and ")}`,
      );
    }
    return missing.length === 0;
  }

  const number = (name: string, fallback: number, least: number, most: number) =>
    variable<number>(
      name,
      whole(least, most),
      fallback,
      `must be a whole number from ${least} to ${most}`,
    );
  const text = (name: string, schema: z.ZodType<string, string>, rule: string) =>
    variable<string | null>(name, schema, null, rule);

  function readText(name: string, file: string): string | null {
    try {
      return readFileSync(file, "utf8");
    } catch {
      problems.push(`${name}: the file cannot be read`);
      return null;
    }
  }

  return { problems, given, variable, together, number, text, readText };
}
