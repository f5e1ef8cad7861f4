import { z } from "zod";
import { addressRange } from "@/lib/server/upstream/dial/allowed-targets";
import { httpUrl, parseUrl, type Environment } from "@/lib/server/environment";
import {
  BASE_URL_RULE,
  FROM_RULE,
  mailSender,
  mailServer,
  SERVER_RULE,
  slug,
  SLUG_RULE,
  TIME_ZONE_RULE,
  timeZone,
} from "./formats";

/** @param rule error message, in place of the schema's messages */
const variable = <T>(schema: z.ZodType<T, string>, rule: string) =>
  z.string().transform((text, context) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: rule });
    return z.NEVER;
  });

/** Null when it isn't set. */
const optional = <T>(schema: z.ZodType<T, string>) => schema.nullable().default(null);

const whole = (least: number, most: number) =>
  variable(
    z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(least).max(most)),
    `must be a whole number from ${least} to ${most}`,
  );

/** Minutes as a decimal of at most nine digits before and after the point. Output: milliseconds. */
const minutesMs = (most: number) =>
  variable(
    z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9})?$/)
      .transform(Number)
      .pipe(z.number().min(0).max(most))
      .transform((minutes) => Math.round(minutes * 60_000)),
    `must be a number from 0 to ${most}; fractions such as 0.5 are allowed`,
  );

/** Entries separated by commas or whitespace. */
const list = <T>(entry: z.ZodType<T, string>, rule: string) =>
  variable(
    z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ""))
      .pipe(z.array(entry)),
    rule,
  );

const postgresUrl = variable(
  z.string().refine((url) => /^postgres(ql)?:$/.test(parseUrl(url)?.protocol ?? "")),
  "must be an address such as postgres://user:password@host:5432/name",
);

const origin = httpUrl.refine((text) => parseUrl(text)?.pathname === "/");

const scopes = z
  .string()
  .transform((text) => text.split(/\s+/).join(" "))
  .refine((text) => /^[\x21\x23-\x5b\x5d-\x7e ]{1,1000}$/.test(text))
  .refine((text) => text.split(" ").includes("openid"));

const hostName = z
  .string()
  .toLowerCase()
  .regex(/^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/);

const addressRanges = z.string().transform((text, context) =>
  text.split(",").flatMap((part) => {
    const range = addressRange(part.trim());
    if (range === null && part.trim() !== "") context.addIssue("no range of addresses");
    return range ?? [];
  }),
);

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Every variable that is read into `Config`, except the proxies: README, "Configuration". */
const Variables = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: variable(z.union([hostName, z.ipv6()]), "must be a host name or an IP address").default(
    "127.0.0.1",
  ),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: optional(postgresUrl),
  DATABASE_MIGRATION_URL: optional(postgresUrl),
  POSTGRES_BIN: optional(z.string()),
  AUTH_SECRET: optional(variable(z.string().min(16), "must have at least 16 characters")),
  EARLIER_AUTH_SECRETS: z
    .array(
      z.string().min(16, {
        error:
          "must be secrets of at least 16 characters, with commas between (in a file one on each line)",
      }),
    )
    .default([]),
  AUDIT_HEAD_FILE: optional(z.string()),
  APP_URL: optional(variable(origin, "must be an http or https origin without a path")),
  ADMIN_EMAIL: variable(
    z.email().transform((email) => email.toLowerCase()),
    "must be an e-mail address",
  ).default("admin@plumbline.local"),
  ADMIN_PASSWORD: optional(variable(z.string().min(8).max(200), "must have 8 to 200 characters")),
  SESSION_HOURS: whole(1, 24 * 7).default(12),

  OIDC_ISSUER: optional(variable(httpUrl, "must be an http or https address")),
  OIDC_CLIENT_ID: z.string().default(""),
  OIDC_CLIENT_SECRET: z.string().default(""),
  OIDC_NAME: variable(z.string().max(60), "must have at most 60 characters").default(
    "company sign-in",
  ),
  OIDC_SCOPES: variable(scopes, "must be scopes with spaces between, openid among them").default(
    "openid profile email",
  ),
  LOCAL_SIGN_IN: variable(
    z.enum(["on", "administrators", "off"]),
    "must be on, administrators or off",
  ).default("on"),
  ACCESS_FILE: optional(z.string()),

  V3_BASE_URL: optional(variable(httpUrl, BASE_URL_RULE)),
  V3_CLIENT_ID: z.string().default(""),
  V3_CLIENT_SECRET: z.string().default(""),
  V3_COMPANY_SLUG: variable(slug, SLUG_RULE).default("main"),
  V3_COMPANY_NAME: z.string().default("Main"),
  CONNECTIONS_FILE: optional(z.string()),
  V3_REQUESTS_PER_MINUTE: whole(2, 100_000).default(60),
  V3_TOKEN_REQUESTS_PER_MINUTE: whole(1, 100_000).default(10),
  V3_POLL_SECONDS: whole(1, 3600).default(60),

  /** Null: `off` where a connection is configured, else `demo`. */
  V3_SERVICE: optional(variable(z.enum(["on", "off", "demo"]), "must be on, off or demo")),
  V3_SERVICE_SEED: optional(z.string()),
  V3_RATE_LIMIT_PER_MINUTE: whole(1, 10_000_000).default(60),
  V3_TOKEN_RATE_LIMIT_PER_MINUTE: whole(1, 10_000_000).default(10),

  TRUST_PROXY: whole(0, 10).default(0),
  HSTS_SUBDOMAINS: variable(z.enum(["on", "off"]), "must be on or off").default("on"),
  ALLOWED_HOSTS: list(hostName, "must be host names without port, separated by commas").default([]),
  WALL_FRAME_ORIGINS: list(origin, "must be http or https origins, separated by commas").default(
    [],
  ),
  METRICS_ENDPOINTS: variable(z.enum(["on", "off"]), "must be on or off").default("off"),
  METRICS_TOKEN: optional(z.string()),
  LOG_LEVEL: variable(z.enum(LOG_LEVELS), `must be one of ${LOG_LEVELS.join(", ")}`).default(
    "info",
  ),

  RETENTION_DAYS: whole(1, 3650).default(90),
  REPORT_TIME_ZONE: variable(timeZone, TIME_ZONE_RULE).default("UTC"),
  BACKUPS_KEPT: whole(0, 1000).default(7),
  INCIDENT_OPEN_MINUTES: minutesMs(24 * 60).default(15 * 60_000),
  INCIDENT_CLOSE_MINUTES: minutesMs(24 * 60).default(10 * 60_000),
  MESSAGE_WAIT_SECONDS: whole(0, 3600).default(30),

  HEARTBEAT_URL: optional(
    variable(httpUrl, "must be an http or https address without a question mark"),
  ),
  HEARTBEAT_SECONDS: whole(1, 3600).default(60),
  ALLOWED_TARGETS: variable(
    addressRanges,
    "must be address ranges with commas between, such as 10.0.0.0/8, fd00::/8",
  ).default([]),
  SMTP_URL: optional(variable(mailServer, SERVER_RULE)),
  MAIL_FROM: optional(variable(mailSender, FROM_RULE)),
  MAIL_WITHOUT_TLS: optional(variable(z.literal("allow"), "must be allow, or not set")),
});

export type Variables = z.output<typeof Variables>;

/** The variables by name. Invalid ones are recorded in the environment's `problems` and replaced by their defaults. */
export function readVariables(environment: Environment): Variables {
  const given = Object.fromEntries(
    Object.keys(Variables.shape).map((name) => [name, environment.given(name)]),
  );
  const text = {
    ...given,
    EARLIER_AUTH_SECRETS: earlierSecrets(environment),
    // Not used without a provider, so it can't be a problem there.
    ...(given["OIDC_ISSUER"] === undefined && { OIDC_NAME: undefined }),
  };
  const parsed = Variables.safeParse(text);
  if (parsed.success) return parsed.data;
  const rules = new Map(
    parsed.error.issues.map(({ path: [name], message }) => [String(name), message]),
  );
  for (const [name, rule] of rules) environment.problems.push(`${name}: ${rule}`);
  return Variables.parse(
    Object.fromEntries(Object.entries(text).filter(([name]) => !rules.has(name))),
  );
}

/** A file has one secret per line, so that secrets may contain the separators of the variable. */
function earlierSecrets({ given, isFromFile }: Environment): string[] | undefined {
  return given("EARLIER_AUTH_SECRETS")
    ?.split(isFromFile("EARLIER_AUTH_SECRETS") ? "\n" : /[\s,]/)
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
}
