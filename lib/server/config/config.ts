import type { IncidentSettings } from "@/lib/domain/incidents/step";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { AccessRule } from "@/lib/domain/access-rules";
import { judgeAccessFile } from "@/lib/server/auth/access-file";
import type { ProviderConfig } from "@/lib/server/auth/oidc/discovery";
import { readConnectionsFile, readSingleConnection, TIME_ZONE_RULE, timeZone } from "./connections";
import { addressRange, type AddressRange } from "@/lib/server/delivery/targets";
import { readMail, type MailConfig } from "./mail";
import { makeFolder, plainMessage } from "@/lib/server/file-problem.mjs";
import { httpUrl, parseUrl, readEnvironment, type Env } from "@/lib/server/environment";
import { NO_PROXIES, readProxies, type Proxies } from "@/lib/server/upstream/proxy";
import type { Connection } from "@/lib/server/upstream/upstream";

/** The whole configuration, parsed once at startup. Source: README, "Configuration". */
export type Config = {
  /** 0 lets the system choose (tests). */
  port: number;
  host: string;
  /** Absolute path. */
  dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /**
   * Absolute path of another PostgreSQL's binaries for the embedded one; null: those of our
   * packages.
   */
  postgresBin: string | null;
  /** As the table owner; null: as `databaseUrl`. */
  databaseMigrationUrl: string | null;
  /** Null: generated into `dataDir` by `ensureAuthSecret`. */
  authSecret: string | null;
  /** Secrets from before AUTH_SECRET was changed, in any order. */
  earlierAuthSecrets: readonly string[];
  /** Absolute path of the file that records the heads of the audit log. */
  auditHeadFile: string;
  /**
   * Public origin without a trailing slash; null: `http://localhost:PORT`, known once the server
   * listens.
   */
  appUrl: string | null;
  adminEmail: string;
  /** Null: generated and printed once. */
  adminPassword: string | null;
  /** Session lifetime after sign-in, milliseconds. */
  sessionMs: number;
  /** The identity provider; null: local accounts only. */
  oidc: ProviderConfig | null;
  /** Which local accounts may sign in. */
  localSignIn: "on" | "administrators" | "off";
  /** Grants by claims of the identity provider, as read at startup. */
  accessRules: readonly AccessRule[];
  /** Absolute path of the file with these rules, which is reread when it changes; null: none. */
  accessFile: string | null;
  /** Mail settings; null: no mail is sent. */
  mail: MailConfig | null;
  /** Configured connections; empty when there are none. */
  connections: readonly Connection[];
  /** Absolute path of the connections file, which is reread when it changes; null: none. */
  connectionsFile: string | null;
  /** Proxies for requests to these and to the identity provider; never used for our own service. */
  proxies: Proxies;
  requestsPerMinute: number;
  tokenRequestsPerMinute: number;
  pollSeconds: number;
  service: "on" | "off" | "demo";
  /** Absolute path of the seed file, or null. */
  serviceSeed: string | null;
  serviceRateLimitPerMinute: number;
  serviceTokenRateLimitPerMinute: number;
  /** Host names that are accepted besides that of `appUrl`, loopback names and IP literals. */
  allowedHosts: readonly string[];
  /** Number of trusted proxies in front, whose `X-Forwarded-For` is used. */
  trustProxy: number;
  /** Whether HSTS includes the subdomains of `appUrl`'s host. */
  hstsSubdomains: boolean;
  retentionDays: number;
  /** Time zone of report days, unless a connection has its own: an IANA name. */
  reportTimeZone: string;
  incidents: IncidentSettings;
  /** Requested every `heartbeatSeconds` while no company is blind; null: no heartbeat. */
  heartbeatUrl: string | null;
  heartbeatSeconds: number;
  /** Allowed targets of messages besides public addresses, and without TLS. */
  allowedTargets: readonly AddressRange[];
  /** Proxies for messages. */
  targetProxies: Proxies;
  /** Number of daily backups in `dataDir`; 0: none are made. */
  backupsKept: number;
  metricsToken: string | null;
  wallFrameOrigins: readonly string[];
  logLevel: (typeof LOG_LEVELS)[number];
};

/** Each problem names its variable and says what would be valid; values are never repeated. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.name = "ConfigProblems";
    this.problems = problems;
  }
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const postgresUrl = z
  .string()
  .refine((url) => /^postgres(ql)?:$/.test(parseUrl(url)?.protocol ?? ""));

const addressRanges = z.string().transform((given, context) => {
  const texts = given.split(",").map((text) => text.trim());
  return texts.flatMap((text) => {
    const range = addressRange(text);
    if (range === null && text !== "") context.addIssue("no range of addresses");
    return range ?? [];
  });
});

const POSTGRES_RULE = "must be an address such as postgres://user:password@host:5432/name";

const origin = httpUrl.refine((text) => parseUrl(text)?.pathname === "/");

const scopes = z
  .string()
  .transform((given) => given.split(/\s+/).join(" "))
  .refine((given) => /^[\x21\x23-\x5b\x5d-\x7e ]{1,1000}$/.test(given))
  .refine((given) => given.split(" ").includes("openid"));

const SCOPES_RULE = "must be scopes with spaces between, openid among them";

const hostName = z
  .string()
  .toLowerCase()
  .regex(/^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/);

/**
 * Parses the configuration from an environment. An empty value counts as absent.
 * @param env names and values, as in `process.env`
 * @param cwd base of relative paths, absolute
 * @throws ConfigProblems naming every invalid variable at once
 */
export function parseConfig(env: Env, cwd: string): Config {
  const environment = readEnvironment(env, cwd);
  const { problems, given, variable, together, number, minutesMs, text, readText } = environment;

  const databaseUrl = text("DATABASE_URL", postgresUrl, POSTGRES_RULE);
  const databaseMigrationUrl = text("DATABASE_MIGRATION_URL", postgresUrl, POSTGRES_RULE);
  if (given("DATABASE_MIGRATION_URL") !== undefined && given("DATABASE_URL") === undefined) {
    problems.push("DATABASE_MIGRATION_URL: needs DATABASE_URL");
  }
  const postgresBin = given("POSTGRES_BIN");
  if (postgresBin !== undefined && given("DATABASE_URL") !== undefined) {
    problems.push("POSTGRES_BIN: is for the embedded PostgreSQL, which DATABASE_URL replaces");
  }
  const authSecret = text("AUTH_SECRET", z.string().min(16), "must have at least 16 characters");
  if (given("DATABASE_URL") !== undefined && given("AUTH_SECRET") === undefined) {
    problems.push(
      "AUTH_SECRET: must be set together with DATABASE_URL, the same for all instances",
    );
  }

  // A file has one per line, so that a secret may contain the usual separators.
  const earlierAuthSecrets = (given("EARLIER_AUTH_SECRETS") ?? "")
    .split(environment.isFromFile("EARLIER_AUTH_SECRETS") ? "\n" : /[\s,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (earlierAuthSecrets.some(({ length }) => length < 16)) {
    problems.push(
      "EARLIER_AUTH_SECRETS: must be secrets of at least 16 characters, with commas between (in a file one on each line)",
    );
  }

  const dataDir = path.resolve(cwd, given("DATA_DIR") ?? ".data");
  const auditHeadFile = path.resolve(
    cwd,
    given("AUDIT_HEAD_FILE") ?? path.join(dataDir, "audit-heads.json"),
  );
  if (isDirectory(auditHeadFile)) problems.push("AUDIT_HEAD_FILE: must be a file, not a folder");

  const oidcGiven = together(["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]);
  const oidcIssuer = text("OIDC_ISSUER", httpUrl, "must be an http or https address");
  const oidcScopes = variable("OIDC_SCOPES", scopes, "openid profile email", SCOPES_RULE);
  const localSignIn = variable<Config["localSignIn"]>(
    "LOCAL_SIGN_IN",
    z.enum(["on", "administrators", "off"]),
    "on",
    "must be on, administrators or off",
  );
  const access = given("ACCESS_FILE");
  if (!oidcGiven) {
    // Without a provider these would lock people out.
    if (localSignIn !== "on") problems.push("LOCAL_SIGN_IN: other than on needs OIDC_ISSUER");
    if (access !== undefined) problems.push("ACCESS_FILE: needs OIDC_ISSUER");
  }
  const accessFile = access === undefined ? null : path.resolve(cwd, access);
  const accessContent = accessFile === null ? null : readText("ACCESS_FILE", accessFile);
  const judgedAccess = accessContent === null ? null : judgeAccessFile(accessContent);
  if (judgedAccess !== null && "problems" in judgedAccess) problems.push(...judgedAccess.problems);

  const single = readSingleConnection(environment);
  const several = readConnectionsFile(environment, cwd);
  if (single !== null && given("CONNECTIONS_FILE") !== undefined) {
    problems.push("CONNECTIONS_FILE: set either this or V3_BASE_URL, not both");
  }
  const connections = several?.connections ?? (single === null ? [] : [single]);

  const service = variable<Config["service"]>(
    "V3_SERVICE",
    z.enum(["on", "off", "demo"]),
    connections.length > 0 || single !== null ? "off" : "demo",
    "must be on, off or demo",
  );
  const serviceSeed = text("V3_SERVICE_SEED", z.string(), "must be a path");
  if (serviceSeed !== null) {
    if (service !== "on") problems.push("V3_SERVICE_SEED: needs V3_SERVICE=on");
    else readText("V3_SERVICE_SEED", path.resolve(cwd, serviceSeed));
  }

  const config: Config = {
    port: number("PORT", 3000, 0, 65_535),
    host: given("HOST") ?? "127.0.0.1",
    dataDir,
    databaseUrl,
    databaseMigrationUrl,
    postgresBin: postgresBin === undefined ? null : path.resolve(cwd, postgresBin),
    authSecret,
    earlierAuthSecrets,
    auditHeadFile,
    appUrl: text("APP_URL", origin, "must be an http or https origin without a path"),
    adminEmail: variable(
      "ADMIN_EMAIL",
      z.email().transform((email) => email.toLowerCase()),
      "admin@plumbline.local",
      "must be an e-mail address",
    ),
    adminPassword: text(
      "ADMIN_PASSWORD",
      z.string().min(8).max(200),
      "must have 8 to 200 characters",
    ),
    oidc:
      oidcGiven && oidcIssuer !== null
        ? {
            issuer: oidcIssuer,
            clientId: given("OIDC_CLIENT_ID") ?? "",
            clientSecret: given("OIDC_CLIENT_SECRET") ?? "",
            name: variable(
              "OIDC_NAME",
              z.string().max(60),
              "company sign-in",
              "must have at most 60 characters",
            ),
            scopes: oidcScopes,
          }
        : null,
    localSignIn,
    accessRules: judgedAccess !== null && "value" in judgedAccess ? judgedAccess.value : [],
    accessFile,
    mail: readMail(environment),
    connections,
    connectionsFile: several?.file ?? null,
    proxies:
      several === null &&
      single === null &&
      oidcIssuer === null &&
      given("HEARTBEAT_URL") === undefined
        ? NO_PROXIES
        : readProxies(environment),
    // Channels are added later: an invalid proxy that isn't used yet must not prevent startup.
    targetProxies: readProxies({ ...environment, problems: [] }),
    requestsPerMinute: number("V3_REQUESTS_PER_MINUTE", 60, 2, 100_000),
    tokenRequestsPerMinute: number("V3_TOKEN_REQUESTS_PER_MINUTE", 10, 1, 100_000),
    pollSeconds: number("V3_POLL_SECONDS", 60, 1, 3600),
    service,
    serviceSeed: serviceSeed === null ? null : path.resolve(cwd, serviceSeed),
    serviceRateLimitPerMinute: number("V3_RATE_LIMIT_PER_MINUTE", 60, 1, 10_000_000),
    serviceTokenRateLimitPerMinute: number("V3_TOKEN_RATE_LIMIT_PER_MINUTE", 10, 1, 10_000_000),
    sessionMs: number("SESSION_HOURS", 12, 1, 24 * 7) * 3_600_000,
    trustProxy: number("TRUST_PROXY", 0, 0, 10),
    hstsSubdomains:
      variable("HSTS_SUBDOMAINS", z.enum(["on", "off"]), "on", "must be on or off") === "on",
    retentionDays: number("RETENTION_DAYS", 90, 1, 3650),
    reportTimeZone: variable("REPORT_TIME_ZONE", timeZone, "UTC", TIME_ZONE_RULE),
    incidents: {
      opensAfterMs: minutesMs("INCIDENT_OPEN_MINUTES", 15, 24 * 60),
      closesAfterMs: minutesMs("INCIDENT_CLOSE_MINUTES", 10, 24 * 60),
    },
    heartbeatUrl: text(
      "HEARTBEAT_URL",
      httpUrl,
      "must be an http or https address without a question mark",
    ),
    heartbeatSeconds: number("HEARTBEAT_SECONDS", 60, 1, 3600),
    allowedTargets: variable(
      "ALLOWED_TARGETS",
      addressRanges,
      [],
      "must be address ranges with commas between, such as 10.0.0.0/8, fd00::/8",
    ),
    backupsKept: number("BACKUPS_KEPT", 7, 0, 1000),
    metricsToken: given("METRICS_TOKEN") ?? null,
    allowedHosts: (given("ALLOWED_HOSTS") ?? "")
      .split(/[\s,]+/)
      .filter((entry) => entry !== "")
      .map((entry) => {
        const parsed = hostName.safeParse(entry);
        if (!parsed.success) {
          problems.push("ALLOWED_HOSTS: must be host names without port, separated by commas");
        }
        return parsed.data ?? "";
      }),
    wallFrameOrigins: (given("WALL_FRAME_ORIGINS") ?? "")
      .split(/[\s,]+/)
      .filter((entry) => entry !== "")
      .map((entry) => {
        const parsed = origin.safeParse(entry);
        if (!parsed.success) {
          problems.push("WALL_FRAME_ORIGINS: must be http or https origins, separated by commas");
        }
        return parsed.data ?? "";
      }),
    logLevel: variable(
      "LOG_LEVEL",
      z.enum(LOG_LEVELS),
      "info",
      `must be one of ${LOG_LEVELS.join(", ")}`,
    ),
  };

  if (problems.length > 0) throw new ConfigProblems([...new Set(problems)]);
  return config;
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    // Absent or inaccessible: writing to it will report that.
    return false;
  }
}

/**
 * The secret that signs sessions: the configured one, else one generated once into `dataDir` (mode
 * 0600).
 * @throws Error with a sentence when `dataDir` isn't writable
 */
export function ensureAuthSecret(config: Pick<Config, "authSecret" | "dataDir">): string {
  if (config.authSecret !== null) return config.authSecret;
  const file = authSecretFile(config.dataDir);
  let secret: string;
  try {
    makeFolder(config.dataDir);
    secret = readOrMake(file);
  } catch (cause) {
    throw new Error(`DATA_DIR: ${plainMessage(cause)}`, { cause });
  }
  if (secret.length < 16) throw new Error(`${file} contains no secret; remove it and start again`);
  return secret;
}

/**
 * A secret, generated if missing; of two processes that start concurrently one wins, and the other
 * reads the winner's.
 */
function readOrMake(file: string): string {
  try {
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}

/** The secret of `ensureAuthSecret`, without generating one; null: none. */
export function findAuthSecret(config: Pick<Config, "authSecret" | "dataDir">): string | null {
  if (config.authSecret !== null) return config.authSecret;
  return existsSync(authSecretFile(config.dataDir)) ? ensureAuthSecret(config) : null;
}

const authSecretFile = (dataDir: string) => path.join(dataDir, "auth-secret");
