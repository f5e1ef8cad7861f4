import path from "node:path";
import { z } from "zod";
import { enteredLine } from "@/lib/domain/text/entered-text";
import type { Judged } from "@/lib/server/configuration-file";
import { httpUrl, readEnvironment, type Env, type Environment } from "@/lib/server/environment";
import type { Connection } from "@/lib/server/upstream/upstream";
import { BASE_URL_RULE, slug, SLUG_RULE, TIME_ZONE_RULE, timeZone } from "./formats";
import type { Variables } from "./variables";

const ConnectionEntry = z.strictObject({
  slug,
  name: z.string().overwrite(enteredLine).min(1).max(200),
  base_url: httpUrl,
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  time_zone: timeZone.optional(),
  external_id: z.string().trim().min(1).max(100).optional(),
});

const CONNECTION_RULES: Record<string, string> = {
  slug: SLUG_RULE,
  name: "must be a name of at most 200 characters",
  base_url: BASE_URL_RULE,
  client_id: "is required",
  client_secret: 'is required: the secret itself, or "env:NAME"',
  time_zone: TIME_ZONE_RULE,
  external_id: "must be text of at most 100 characters",
};

/** The connection of the `V3_*` variables; null: absent or incomplete. */
export function readSingleConnection(
  environment: Environment,
  variables: Variables,
): Connection | null {
  const complete = environment.together(["V3_BASE_URL", "V3_CLIENT_ID", "V3_CLIENT_SECRET"]);
  const { V3_BASE_URL: baseUrl } = variables;
  if (!complete || baseUrl === null) return null;
  const clientSecret = readSecret(environment, variables.V3_CLIENT_SECRET, "V3_CLIENT_SECRET");
  if (clientSecret === null) return null;
  return {
    company: variables.V3_COMPANY_SLUG,
    name: variables.V3_COMPANY_NAME,
    baseUrl,
    clientId: variables.V3_CLIENT_ID,
    clientSecret,
  };
}

/** @param given the secret itself, or `env:NAME` @returns null: that variable isn't set, which is a problem now */
function readSecret({ secret, problems }: Environment, given: string, at: string): string | null {
  if (!given.startsWith("env:")) return given;
  const name = given.slice("env:".length);
  const value = secret(name);
  if (value === undefined) problems.push(`${at}: ${name} is not set`);
  return value ?? null;
}

/**
 * The connections of `CONNECTIONS_FILE`; null: not configured. @param cwd base of relative paths,
 * absolute
 */
export function readConnectionsFile(
  environment: Environment,
  cwd: string,
): { file: string; connections: Connection[] } | null {
  const { given, readText } = environment;
  const name = given("CONNECTIONS_FILE");
  if (name === undefined) return null;
  const file = path.resolve(cwd, name);
  const content = readText("CONNECTIONS_FILE", file);
  return { file, connections: content === null ? [] : connectionsIn(environment, content) };
}

/**
 * Parses a changed `CONNECTIONS_FILE`: its connections, or all problems.
 * @param env contains the secrets that it refers to; names and values, as in `process.env`
 */
export function judgeConnections(env: Env, content: string): Judged<readonly Connection[]> {
  const environment = readEnvironment(env);
  const value = connectionsIn(environment, content);
  const { problems } = environment;
  return problems.length > 0 ? { problems: [...new Set(problems)] } : { value };
}

function connectionsIn(environment: Environment, content: string): Connection[] {
  const { problems } = environment;
  let entries: unknown;
  try {
    entries = JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    problems.push("CONNECTIONS_FILE: must be JSON");
    return [];
  }
  if (!Array.isArray(entries) || entries.length === 0) {
    problems.push("CONNECTIONS_FILE: must be a list of at least one connection");
    return [];
  }
  const found = entries.flatMap((entry: unknown, index) => readEntry(environment, entry, index));
  const repeated = found.filter(
    (one, index) => found.findIndex((c) => c.company === one.company) < index,
  );
  for (const one of repeated)
    problems.push(`CONNECTIONS_FILE: slug ${one.company} is listed twice`);
  return found;
}

function readEntry(environment: Environment, entry: unknown, index: number): Connection[] {
  const { problems } = environment;
  const parsed = ConnectionEntry.safeParse(entry);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const member = issue.path[0] === undefined ? null : String(issue.path[0]);
      const where = `CONNECTIONS_FILE[${index}]${member === null ? "" : `.${member}`}`;
      const unknown = issue.code === "unrecognized_keys" ? issue.keys.join(", ") : null;
      problems.push(
        unknown === null
          ? `${where}: ${quotedSlug(member, entry)}${CONNECTION_RULES[member ?? ""] ?? "must be an object"}`
          : `${where}: unknown members: ${unknown}`,
      );
    }
    return [];
  }
  const {
    slug: company,
    name,
    base_url,
    client_id,
    client_secret,
    time_zone,
    external_id,
  } = parsed.data;
  const clientSecret = readSecret(
    environment,
    client_secret,
    `CONNECTIONS_FILE[${index}].client_secret`,
  );
  if (clientSecret === null) return [];
  return [
    {
      company,
      name,
      baseUrl: base_url,
      clientId: client_id,
      clientSecret,
      ...(time_zone !== undefined && { timeZone: time_zone }),
      ...(external_id !== undefined && { externalId: external_id }),
    },
  ];
}

/** The invalid slug itself, which is no secret; empty for other members. */
function quotedSlug(member: string | null, entry: unknown): string {
  if (member !== "slug" || typeof entry !== "object" || entry === null) return "";
  const given = "slug" in entry ? entry.slug : null;
  return typeof given === "string" ? `${JSON.stringify(given.slice(0, 60))} ` : "";
}
