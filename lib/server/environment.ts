import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { fileProblem } from "./file-problem.mjs";

export type Env = Readonly<Record<string, string | undefined>>;

/** Variables that contain a secret. Each can be set as `NAME_FILE` instead, the path of a file that contains it. */
export const SECRETS: ReadonlySet<string> = new Set([
  "ADMIN_PASSWORD",
  "AUTH_SECRET",
  "DATABASE_MIGRATION_URL",
  "DATABASE_URL",
  "EARLIER_AUTH_SECRETS",
  "HEARTBEAT_URL",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "METRICS_TOKEN",
  "OIDC_CLIENT_SECRET",
  "SMTP_URL",
  "V3_CLIENT_SECRET",
]);

export const parseUrl = (text: string) => (URL.canParse(text) ? new URL(text) : null);

/** An HTTP or HTTPS URL without credentials, query and hash; trailing slashes are removed. */
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

/** Why a file can't be read, as text to follow a colon. */
export function readProblem(error: unknown): string {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return isMissing ? "it doesn't exist" : (fileProblem(error) ?? "it can't be read");
}

/** Reads variables, and collects problems. */
export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Reads variables; an empty value counts as not set. Errors are collected in `problems`.
 * @param cwd base of relative paths in `NAME_FILE`
 */
export function readEnvironment(env: Env, cwd = process.cwd()) {
  const problems: string[] = [];
  /** Contents of secret files, by the secret's name. */
  const files = new Map<string, string | undefined>();
  const inEnvironment = (name: string) => env[name]?.trim() || undefined;
  const given = (name: string) => (SECRETS.has(name) ? secret(name) : inEnvironment(name));

  /** A variable that may be set as `NAME_FILE`, whether or not it is in `SECRETS`. */
  function secret(name: string): string | undefined {
    return isFromFile(name) ? files.get(name) : inEnvironment(name);
  }

  /** Whether a secret is set as `NAME_FILE`. The file is read at the first call. */
  function isFromFile(name: string): boolean {
    if (files.has(name)) return true;
    const variableName = `${name}_FILE`;
    const file = inEnvironment(variableName);
    if (file === undefined) return false;
    if (inEnvironment(name) !== undefined) {
      problems.push(`${variableName}: set either this or ${name}, not both`);
    }
    const content = readText(variableName, path.resolve(cwd, file))?.trim();
    if (content === "") problems.push(`${variableName}: the file is empty`);
    files.set(name, content || undefined);
    return true;
  }

  /** For variables that must be set together: whether all are set. Some but not all is a problem. */
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

  function readText(name: string, file: string): string | null {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      problems.push(`${name}: the file cannot be read: ${readProblem(error)}`);
      return null;
    }
  }

  return {
    problems,
    given,
    secret,
    isFromFile,
    together,
    readText,
  };
}
