import type { IncidentSettings } from "@/lib/domain/incidents/step";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { AccessRule } from "@/lib/domain/access-rules";
import { judgeAccessFile } from "@/lib/server/auth/access-file";
import type { ProviderConfig } from "@/lib/server/auth/oidc/discovery";
import { readConnectionsFile, readSingleConnection } from "./connections";
import type { AddressRange } from "@/lib/server/upstream/dial/allowed-targets";
import { readMail, type MailConfig } from "./mail";
import { makeFolder, plainMessage } from "@/lib/server/file-problem.mjs";
import { readEnvironment, type Env, type Environment } from "@/lib/server/environment";
import { NO_PROXIES, readProxies, type Proxies } from "@/lib/server/upstream/proxy";
import type { Connection } from "@/lib/server/upstream/upstream";
import { readVariables, type Variables } from "./variables";

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
  /** How long a message waits that opens something, milliseconds: what ends within it isn't sent. */
  messageWaitMs: number;
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
  /** `/metrics` also has every endpoint. */
  hasEndpointMetrics: boolean;
  wallFrameOrigins: readonly string[];
  logLevel: Variables["LOG_LEVEL"];
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

/**
 * Parses the configuration from an environment. An empty value counts as absent.
 * @param env names and values, as in `process.env`
 * @param cwd base of relative paths, absolute
 * @throws ConfigProblems naming every invalid variable at once
 */
export function parseConfig(env: Env, cwd: string): Config {
  const environment = readEnvironment(env, cwd);
  const variables = readVariables(environment);
  const { problems, given } = environment;
  const absolute = (file: string | null) => (file === null ? null : path.resolve(cwd, file));

  checkDatabase(environment);
  const dataDir = path.resolve(cwd, variables.DATA_DIR);
  const auditHeadFile =
    absolute(variables.AUDIT_HEAD_FILE) ?? path.join(dataDir, "audit-heads.json");
  if (isDirectory(auditHeadFile)) problems.push("AUDIT_HEAD_FILE: must be a file, not a folder");

  const identity = readIdentity(environment, variables, cwd);
  const upstream = readUpstream(environment, variables, cwd);
  const usesProxies =
    upstream.isConfigured || variables.OIDC_ISSUER !== null || given("HEARTBEAT_URL") !== undefined;

  const config: Config = {
    port: variables.PORT,
    host: variables.HOST,
    dataDir,
    databaseUrl: variables.DATABASE_URL,
    databaseMigrationUrl: variables.DATABASE_MIGRATION_URL,
    postgresBin: absolute(variables.POSTGRES_BIN),
    authSecret: variables.AUTH_SECRET,
    earlierAuthSecrets: variables.EARLIER_AUTH_SECRETS,
    auditHeadFile,
    appUrl: variables.APP_URL,
    adminEmail: variables.ADMIN_EMAIL,
    adminPassword: variables.ADMIN_PASSWORD,
    ...identity,
    mail: readMail(environment, variables),
    connections: upstream.connections,
    connectionsFile: upstream.connectionsFile,
    proxies: usesProxies ? readProxies(environment) : NO_PROXIES,
    // Channels are added later: a bad proxy that isn't used yet must not prevent the start.
    targetProxies: readProxies({ ...environment, problems: [] }),
    requestsPerMinute: variables.V3_REQUESTS_PER_MINUTE,
    tokenRequestsPerMinute: variables.V3_TOKEN_REQUESTS_PER_MINUTE,
    pollSeconds: variables.V3_POLL_SECONDS,
    service: upstream.service,
    serviceSeed: absolute(variables.V3_SERVICE_SEED),
    serviceRateLimitPerMinute: variables.V3_RATE_LIMIT_PER_MINUTE,
    serviceTokenRateLimitPerMinute: variables.V3_TOKEN_RATE_LIMIT_PER_MINUTE,
    sessionMs: variables.SESSION_HOURS * 3_600_000,
    trustProxy: variables.TRUST_PROXY,
    hstsSubdomains: variables.HSTS_SUBDOMAINS === "on",
    retentionDays: variables.RETENTION_DAYS,
    reportTimeZone: variables.REPORT_TIME_ZONE,
    incidents: {
      opensAfterMs: variables.INCIDENT_OPEN_MINUTES,
      closesAfterMs: variables.INCIDENT_CLOSE_MINUTES,
    },
    messageWaitMs: variables.MESSAGE_WAIT_SECONDS * 1_000,
    heartbeatUrl: variables.HEARTBEAT_URL,
    heartbeatSeconds: variables.HEARTBEAT_SECONDS,
    allowedTargets: variables.ALLOWED_TARGETS,
    backupsKept: variables.BACKUPS_KEPT,
    metricsToken: variables.METRICS_TOKEN,
    hasEndpointMetrics: variables.METRICS_ENDPOINTS === "on",
    allowedHosts: variables.ALLOWED_HOSTS,
    wallFrameOrigins: variables.WALL_FRAME_ORIGINS,
    logLevel: variables.LOG_LEVEL,
  };

  if (problems.length > 0) throw new ConfigProblems([...new Set(problems)]);
  return config;
}

/** Which variables a given database needs, and which only make sense with or without one. */
function checkDatabase({ problems, given }: Environment): void {
  const isGiven = (name: string) => given(name) !== undefined;
  if (isGiven("DATABASE_MIGRATION_URL") && !isGiven("DATABASE_URL")) {
    problems.push("DATABASE_MIGRATION_URL: needs DATABASE_URL");
  }
  if (isGiven("POSTGRES_BIN") && isGiven("DATABASE_URL")) {
    problems.push("POSTGRES_BIN: is for the embedded PostgreSQL, which DATABASE_URL replaces");
  }
  if (isGiven("DATABASE_URL") && !isGiven("AUTH_SECRET")) {
    problems.push(
      "AUTH_SECRET: must be set together with DATABASE_URL, the same for all instances",
    );
  }
}

/** How people sign in, and with which rights. */
function readIdentity(
  { problems, together, readText }: Environment,
  variables: Variables,
  cwd: string,
): Pick<Config, "oidc" | "localSignIn" | "accessRules" | "accessFile"> {
  const hasProvider = together(["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]);
  const { OIDC_ISSUER: issuer, LOCAL_SIGN_IN: localSignIn, ACCESS_FILE: access } = variables;
  if (!hasProvider) {
    // Without a provider these would lock everyone out.
    if (localSignIn !== "on") problems.push("LOCAL_SIGN_IN: other than on needs OIDC_ISSUER");
    if (access !== null) problems.push("ACCESS_FILE: needs OIDC_ISSUER");
  }
  const accessFile = access === null ? null : path.resolve(cwd, access);
  const content = accessFile === null ? null : readText("ACCESS_FILE", accessFile);
  const judged = content === null ? { value: [] } : judgeAccessFile(content);
  if ("problems" in judged) problems.push(...judged.problems);
  return {
    oidc:
      hasProvider && issuer !== null
        ? {
            issuer,
            clientId: variables.OIDC_CLIENT_ID,
            clientSecret: variables.OIDC_CLIENT_SECRET,
            name: variables.OIDC_NAME,
            scopes: variables.OIDC_SCOPES,
          }
        : null,
    localSignIn,
    accessRules: "value" in judged ? judged.value : [],
    accessFile,
  };
}

/** The connections, and the embedded service. */
function readUpstream(
  environment: Environment,
  variables: Variables,
  cwd: string,
): Pick<Config, "connections" | "connectionsFile" | "service"> & { isConfigured: boolean } {
  const { problems, readText } = environment;
  const single = readSingleConnection(environment, variables);
  const several = readConnectionsFile(environment, cwd);
  if (single !== null && several !== null) {
    problems.push("CONNECTIONS_FILE: set either this or V3_BASE_URL, not both");
  }
  const connections = several?.connections ?? (single === null ? [] : [single]);
  const hasConnection = connections.length > 0 || single !== null;
  const service = variables.V3_SERVICE ?? (hasConnection ? "off" : "demo");
  const { V3_SERVICE_SEED: seed } = variables;
  if (seed !== null) {
    if (service !== "on") problems.push("V3_SERVICE_SEED: needs V3_SERVICE=on");
    else readText("V3_SERVICE_SEED", path.resolve(cwd, seed));
  }
  return {
    connections,
    connectionsFile: several?.file ?? null,
    service,
    isConfigured: single !== null || several !== null,
  };
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
