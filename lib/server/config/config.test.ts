import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ConfigProblems, ensureAuthSecret, parseConfig } from "./config";
import { SECRETS } from "@/lib/server/environment";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";

const directory = mkdtempSync(path.join(os.tmpdir(), "plumbline-config-"));

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, directory);
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
  return [];
}

function file(name: string, content: unknown): string {
  const where = path.join(directory, name);
  writeFileSync(where, typeof content === "string" ? content : JSON.stringify(content));
  return where;
}

test("uses the demo service and the defaults with an empty environment", () => {
  expect(parseConfig({}, "/srv/app")).toEqual({
    port: 3000,
    host: "127.0.0.1",
    hstsSubdomains: true,
    dataDir: "/srv/app/.data",
    databaseUrl: null,
    databaseMigrationUrl: null,
    postgresBin: null,
    authSecret: null,
    earlierAuthSecrets: [],
    auditHeadFile: "/srv/app/.data/audit-heads.json",
    appUrl: null,
    adminEmail: "admin@plumbline.local",
    adminPassword: null,
    oidc: null,
    localSignIn: "on",
    mail: null,
    accessRules: [],
    accessFile: null,
    connections: [],
    connectionsFile: null,
    proxies: NO_PROXIES,
    allowedTargets: [],
    targetProxies: { http: null, https: null, isExcepted: expect.any(Function) },
    requestsPerMinute: 60,
    tokenRequestsPerMinute: 10,
    pollSeconds: 60,
    service: "demo",
    serviceSeed: null,
    serviceRateLimitPerMinute: 60,
    serviceTokenRateLimitPerMinute: 10,
    sessionMs: 43_200_000,
    trustProxy: 0,
    incidents: { opensAfterMs: 15 * 60_000, closesAfterMs: 10 * 60_000 },
    messageWaitMs: 30_000,
    heartbeatUrl: null,
    heartbeatSeconds: 60,
    retentionDays: 90,
    reportTimeZone: "UTC",
    backupsKept: 7,
    metricsToken: null,
    hasEndpointMetrics: false,
    allowedHosts: [],
    wallFrameOrigins: [],
    logLevel: "info",
  });
});

test("uses proxies for configured connections, and names an invalid one without its password", () => {
  const bad = { HTTPS_PROXY: "socks5://user:secret@proxy" };
  expect(parseConfig(bad, directory).proxies).toBe(NO_PROXIES);
  const connection = {
    V3_BASE_URL: "https://api.example/v3",
    V3_CLIENT_ID: "id",
    V3_CLIENT_SECRET: "secret of the client",
  };
  expect(problemsOf({ ...bad, ...connection })).toEqual([
    expect.stringMatching(/^HTTPS_PROXY: must be an http or https address(?!.*secret)/),
  ]);
  const { proxies } = parseConfig({ ...connection, https_proxy: "http://proxy:3128" }, directory);
  expect(proxies.https).toEqual({ origin: "http://proxy:3128", authorization: null });
});

test("reports every invalid variable at once, by name", () => {
  const problems = problemsOf({
    PORT: "99999",
    DATABASE_URL: "mysql://x",
    DATABASE_MIGRATION_URL: "mysql://x",
    EARLIER_AUTH_SECRETS: "tiny",
    AUDIT_HEAD_FILE: ".",
    APP_URL: "http://x/path",
    ADMIN_EMAIL: "admin",
    ADMIN_PASSWORD: "short",
    OIDC_ISSUER: "https://id.example",
    V3_BASE_URL: "ftp://x",
    V3_COMPANY_SLUG: "wall",
    CONNECTIONS_FILE: "/does/not/exist",
    V3_SERVICE: "maybe",
    V3_POLL_SECONDS: "0",
    V3_REQUESTS_PER_MINUTE: "1",
    V3_TOKEN_REQUESTS_PER_MINUTE: "x",
    V3_RATE_LIMIT_PER_MINUTE: "-1",
    V3_TOKEN_RATE_LIMIT_PER_MINUTE: "1.5",
    TRUST_PROXY: "yes",
    HSTS_SUBDOMAINS: "true",
    RETENTION_DAYS: "0",
    REPORT_TIME_ZONE: "Mars/Olympus",
    BACKUPS_KEPT: "-1",
    HOST: "all hosts",
    ALLOWED_HOSTS: "status.example.com, https://b.example",
    WALL_FRAME_ORIGINS: "https://a.example, nonsense",
    LOG_LEVEL: "loud",
  });
  const named = new Set(problems.map((line) => line.split(":")[0]));
  expect(named).toEqual(
    new Set([
      "PORT",
      "DATABASE_URL",
      "DATABASE_MIGRATION_URL",
      "EARLIER_AUTH_SECRETS",
      "AUDIT_HEAD_FILE",
      "AUTH_SECRET",
      "APP_URL",
      "ADMIN_EMAIL",
      "ADMIN_PASSWORD",
      "OIDC_CLIENT_ID",
      "OIDC_CLIENT_SECRET",
      "V3_BASE_URL",
      "V3_CLIENT_ID",
      "V3_CLIENT_SECRET",
      "V3_COMPANY_SLUG",
      "CONNECTIONS_FILE",
      "V3_SERVICE",
      "V3_POLL_SECONDS",
      "V3_REQUESTS_PER_MINUTE",
      "V3_TOKEN_REQUESTS_PER_MINUTE",
      "V3_RATE_LIMIT_PER_MINUTE",
      "V3_TOKEN_RATE_LIMIT_PER_MINUTE",
      "TRUST_PROXY",
      "HSTS_SUBDOMAINS",
      "RETENTION_DAYS",
      "REPORT_TIME_ZONE",
      "BACKUPS_KEPT",
      "HOST",
      "ALLOWED_HOSTS",
      "WALL_FRAME_ORIGINS",
      "LOG_LEVEL",
    ]),
  );
});

test("requires a database for a table owner", () => {
  expect(problemsOf({ DATABASE_MIGRATION_URL: "postgres://owner@host/plumbline" })).toEqual([
    "DATABASE_MIGRATION_URL: needs DATABASE_URL",
  ]);
});

test("never repeats a value in a problem, because it may be a secret", () => {
  const problems = problemsOf({
    DATABASE_URL: "mysql://user:hunter2@host",
    AUTH_SECRET: "tiny-secret",
  });
  expect(problems.join("\n")).not.toMatch(/hunter2|tiny-secret/);
});

test("says that a base URL has no query and no fragment", () => {
  const rest = { V3_CLIENT_ID: "id", V3_CLIENT_SECRET: "secret" };
  for (const V3_BASE_URL of ["https://api.example/api/v3?x=1", "https://api.example/api/v3#x"]) {
    expect(problemsOf({ ...rest, V3_BASE_URL })).toEqual([
      "V3_BASE_URL: must be an http or https address without credentials, ? or #, such as https://host/api/v3",
    ]);
  }
});

test("switches the embedded service off for a connection from the environment", () => {
  const config = parseConfig(
    { V3_BASE_URL: "https://api.example/api/v3/", V3_CLIENT_ID: "id", V3_CLIENT_SECRET: "secret" },
    directory,
  );
  expect(config.service).toBe("off");
  expect(config.connections).toEqual([
    {
      company: "main",
      name: "Main",
      baseUrl: "https://api.example/api/v3",
      clientId: "id",
      clientSecret: "secret",
    },
  ]);
});

test("reads the secret of a connection from another variable", () => {
  const given = {
    V3_BASE_URL: "https://api.example/api/v3",
    V3_CLIENT_ID: "id",
    V3_CLIENT_SECRET: "env:ELSEWHERE",
  };
  expect(problemsOf(given)).toEqual(["V3_CLIENT_SECRET: ELSEWHERE is not set"]);
  expect(parseConfig({ ...given, ELSEWHERE: "secret" }, directory).connections).toMatchObject([
    { clientSecret: "secret" },
  ]);
});

test("reads several connections from a file whose secrets may be in the environment", () => {
  const where = file("connections.json", [
    {
      slug: "a",
      name: "A",
      base_url: "http://127.0.0.1:1/api/v3",
      client_id: "1",
      client_secret: "env:A_SECRET",
    },
    {
      slug: "b",
      name: "B",
      base_url: "http://127.0.0.1:2/api/v3",
      client_id: "2",
      client_secret: "plain",
      time_zone: "europe/kyiv",
    },
  ]);
  const config = parseConfig({ CONNECTIONS_FILE: where, A_SECRET: "from-env" }, directory);
  expect(config.connections.map((one) => [one.company, one.clientSecret])).toEqual([
    ["a", "from-env"],
    ["b", "plain"],
  ]);
  // A company without its own uses the global one.
  expect(config.connections.map((one) => one.timeZone)).toEqual([undefined, "Europe/Kyiv"]);
});

test("accepts a byte order mark in the connections file, which some editors write", () => {
  const where = path.join(directory, "marked.json");
  const one = {
    slug: "acme",
    name: "Acme",
    base_url: "https://api.example/api/v3",
    client_id: "id",
    client_secret: "secret",
  };
  writeFileSync(where, `\uFEFF${JSON.stringify([one])}`);
  const { connections } = parseConfig({ CONNECTIONS_FILE: where }, directory);
  expect(connections.map(({ company }) => company)).toEqual(["acme"]);
});

test("names each invalid property of the connections file with its path", () => {
  const where = file("bad.json", [
    {
      slug: "api",
      name: "A",
      base_url: "x",
      client_id: "1",
      client_secret: "env:MISSING",
      extra: 1,
    },
    {
      slug: "b",
      name: "B",
      base_url: "http://h/api/v3",
      client_id: "2",
      client_secret: "env:MISSING",
      time_zone: "Oslo",
    },
    {
      slug: "c",
      name: "C",
      base_url: "http://h/api/v3",
      client_id: "3",
      client_secret: "env:MISSING",
    },
  ]);
  const problems = problemsOf({ CONNECTIONS_FILE: where }).join("\n");
  expect(problems).toMatch(/CONNECTIONS_FILE\[0\]\.slug/);
  expect(problems).toMatch(/CONNECTIONS_FILE\[0\]\.base_url/);
  expect(problems).toMatch(/CONNECTIONS_FILE\[0\]: unknown members: extra/);
  expect(problems).toMatch(/CONNECTIONS_FILE\[1\]\.time_zone: must be a time zone/);
  expect(problems).toMatch(/CONNECTIONS_FILE\[2\]\.client_secret: MISSING is not set/);
});

test.each(["companies", "partners", "calendar"])(
  "names a company whose slug became our own address, %s, and the way out",
  (slug) => {
    const entry = { slug, name: "A", base_url: "http://h/api/v3", client_id: "1" };
    const where = file(`${slug}.json`, [{ ...entry, client_secret: "x" }]);
    const [problem = ""] = problemsOf({ CONNECTIONS_FILE: where });
    expect(problem).toContain(`CONNECTIONS_FILE[0].slug: "${slug}" must be`);
    expect(problem).toContain("choose another");
  },
);

test("allows a slug in one connection only", () => {
  const entry = {
    slug: "a",
    name: "A",
    base_url: "http://h/api/v3",
    client_id: "1",
    client_secret: "x",
  };
  expect(problemsOf({ CONNECTIONS_FILE: file("twice.json", [entry, entry]) })).toEqual([
    "CONNECTIONS_FILE: slug a is listed twice",
  ]);
});

test("requires the service for a seed file, which must be readable", () => {
  expect(problemsOf({ V3_SERVICE_SEED: "seed.json" })).toEqual([
    "V3_SERVICE_SEED: needs V3_SERVICE=on",
  ]);
  expect(problemsOf({ V3_SERVICE_SEED: "absent.json", V3_SERVICE: "on" })).toEqual([
    "V3_SERVICE_SEED: the file cannot be read: it doesn't exist",
  ]);
});

test("generates the secret once and stores it", () => {
  const config = parseConfig({ DATA_DIR: path.join(directory, "data") }, directory);
  const secret = ensureAuthSecret(config);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(ensureAuthSecret(config)).toBe(secret);
});

test("requires rules for a provider, and a provider for everything that depends on one", () => {
  const oidc = {
    OIDC_ISSUER: "https://id.example/realms/one/",
    OIDC_CLIENT_ID: "plumbline",
    OIDC_CLIENT_SECRET: "secret",
  };
  const rule = { claim: "groups", equals: "cs", role: "viewer", companies: "all" };
  const accessFile = file("access.json", { rules: [rule] });
  expect(
    parseConfig({ ...oidc, ACCESS_FILE: accessFile, LOCAL_SIGN_IN: "off" }, directory),
  ).toMatchObject({
    oidc: {
      issuer: "https://id.example/realms/one",
      name: "company sign-in",
      scopes: "openid profile email",
    },
    localSignIn: "off",
    accessFile,
    accessRules: [{ claim: "groups", value: "cs", isGlob: false, role: "viewer", companies: null }],
  });
  expect(problemsOf({ ACCESS_FILE: accessFile, LOCAL_SIGN_IN: "administrators" })).toEqual([
    "LOCAL_SIGN_IN: other than on needs OIDC_ISSUER",
    "ACCESS_FILE: needs OIDC_ISSUER",
  ]);
  expect(
    problemsOf({
      ...oidc,
      OIDC_SCOPES: "profile email",
      OIDC_NAME: "x".repeat(61),
      LOCAL_SIGN_IN: "maybe",
      ACCESS_FILE: file("bad-access.json", { rules: [{ ...rule, role: "owner" }] }),
    }).map((problem) => problem.split(":")[0]),
  ).toEqual(["OIDC_NAME", "OIDC_SCOPES", "LOCAL_SIGN_IN", "ACCESS_FILE"]);
});

test("ignores the name of a provider where there is none", () => {
  expect(parseConfig({ OIDC_NAME: "x".repeat(61) }, directory).oidc).toBeNull();
});

test("requires a server, a sender and the public address for mails", () => {
  const mail = {
    SMTP_URL: "smtps://plumbline:p%40ss%2Fword@mail.example",
    MAIL_FROM: "Plumbline <plumbline@example.com>",
    APP_URL: "https://plumbline.example",
  };
  const read = (more: Record<string, string>) => parseConfig({ ...mail, ...more }, directory).mail;
  expect(read({})).toEqual({
    server: {
      host: "mail.example",
      port: 465,
      isSecure: true,
      needsTls: true,
      credentials: { user: "plumbline", password: "p@ss/word" },
    },
    from: { name: "Plumbline", address: "plumbline@example.com" },
  });
  expect(read({ SMTP_URL: "smtp://[::1]", MAIL_FROM: "plumbline@example.com" })).toEqual({
    server: { host: "::1", port: 587, isSecure: false, needsTls: true, credentials: null },
    from: { name: "", address: "plumbline@example.com" },
  });
  expect(read({ SMTP_URL: "smtp://mail.example:25/" })?.server.port).toBe(25);
  for (const bad of [
    "mail.example",
    "https://mail.example",
    "smtp://",
    "smtp://user@mail.example",
    "smtp://mail.example/?tls.rejectUnauthorized=false",
    "smtp://a:%@mail.example",
  ]) {
    expect(problemsOf({ ...mail, SMTP_URL: bad })).toEqual([
      expect.stringMatching(/^SMTP_URL: must be an address/),
    ]);
  }
  for (const bad of ["Plumbline", "a <b>", "a@example.com, b@example.com", "<a@example.com"]) {
    expect(problemsOf({ ...mail, MAIL_FROM: bad })).toEqual([
      expect.stringMatching(/^MAIL_FROM: must be an e-mail address/),
    ]);
  }
  expect(problemsOf({ SMTP_URL: "smtp://mail.example" })).toEqual([
    "MAIL_FROM: must be set together with SMTP_URL",
  ]);
  expect(problemsOf({ ...mail, APP_URL: "" })).toEqual([
    "SMTP_URL: needs APP_URL, for links in mails",
  ]);
});

test("parses allowed target ranges, and names an invalid one", () => {
  const { allowedTargets } = parseConfig({ ALLOWED_TARGETS: "10.0.0.0/8, fd00::/8" }, directory);
  expect(allowedTargets.map(({ bits }) => bits)).toEqual([8, 8]);
  for (const bad of ["10.0.0.1", "10.0.0.0/8;", "somewhere/8"]) {
    expect(() => parseConfig({ ALLOWED_TARGETS: bad }, directory)).toThrow(
      /ALLOWED_TARGETS: must be/,
    );
  }
});

test("reads every secret from a file if its path is given", () => {
  const values: Record<string, string> = {
    ADMIN_PASSWORD: "Tall-Copper-Kettle-19",
    AUTH_SECRET: "9vJq2xWm7LtRb4Kd",
    DATABASE_MIGRATION_URL: "postgres://owner:b@127.0.0.1/plumbline",
    DATABASE_URL: "postgres://app:a@127.0.0.1/plumbline",
    EARLIER_AUTH_SECRETS: "an earlier secret, with commas\nanother earlier secret\n",
    HEARTBEAT_URL: "https://watch.example/ping/1",
    HTTPS_PROXY: "http://user:secret@proxy:3128",
    HTTP_PROXY: "http://user:secret@proxy:3129",
    METRICS_TOKEN: "a token of the scraper",
    OIDC_CLIENT_SECRET: "secret of the provider's client",
    SMTP_URL: "smtps://user:secret@mail.example",
    V3_CLIENT_SECRET: "secret of the client",
  };
  expect(Object.keys(values)).toEqual([...SECRETS]);
  const env = Object.entries(values).map(([name, value]) => [
    `${name}_FILE`,
    file(name.toLowerCase(), `${value}\n`),
  ]);
  const config = parseConfig(
    {
      ...Object.fromEntries(env),
      APP_URL: "https://status.example",
      MAIL_FROM: "plumbline@example.com",
      OIDC_ISSUER: "https://id.example",
      OIDC_CLIENT_ID: "plumbline",
      V3_BASE_URL: "https://api.example/v3",
      V3_CLIENT_ID: "id",
    },
    directory,
  );
  expect(config).toMatchObject({
    adminPassword: values["ADMIN_PASSWORD"],
    authSecret: values["AUTH_SECRET"],
    databaseMigrationUrl: values["DATABASE_MIGRATION_URL"],
    databaseUrl: values["DATABASE_URL"],
    earlierAuthSecrets: ["an earlier secret, with commas", "another earlier secret"],
    heartbeatUrl: values["HEARTBEAT_URL"],
    proxies: { http: { origin: "http://proxy:3129" }, https: { origin: "http://proxy:3128" } },
    metricsToken: values["METRICS_TOKEN"],
    oidc: { clientSecret: values["OIDC_CLIENT_SECRET"] },
    mail: { server: { host: "mail.example", credentials: { password: "secret" } } },
    connections: [{ clientSecret: values["V3_CLIENT_SECRET"] }],
  });
});

test("names a secret file that is missing, empty or given beside the variable itself", () => {
  const empty = file("empty", "\n");
  expect(problemsOf({ AUTH_SECRET_FILE: "missing" })).toEqual([
    "AUTH_SECRET_FILE: the file cannot be read: it doesn't exist",
  ]);
  expect(problemsOf({ METRICS_TOKEN_FILE: empty })).toEqual([
    "METRICS_TOKEN_FILE: the file is empty",
  ]);
  expect(
    problemsOf({ METRICS_TOKEN: "a token of the scraper", METRICS_TOKEN_FILE: empty })[0],
  ).toBe("METRICS_TOKEN_FILE: set either this or METRICS_TOKEN, not both");
});

test("reads the variables of a connections file from files, too", () => {
  const connections = file("by-file.json", [
    { slug: "one", name: "One", base_url: "https://a", client_id: "x", client_secret: "env:ONE" },
  ]);
  const env = { CONNECTIONS_FILE: connections, ONE_FILE: file("one", "the secret itself\n") };
  expect(parseConfig(env, directory).connections).toMatchObject([
    { clientSecret: "the secret itself" },
  ]);
});

test("splits earlier secrets at commas or spaces", () => {
  const [one, two] = ["an-earlier-secret", "another-earlier-one"];
  const read = (given: string) =>
    parseConfig({ EARLIER_AUTH_SECRETS: given }, directory).earlierAuthSecrets;
  expect(read(`${one},${two}`)).toEqual([one, two]);
  expect(read(`${one}, ${two}`)).toEqual([one, two]);
  expect(read(`${one} ${two}`)).toEqual([one, two]);
});

test("lets messages wait for some seconds, or not at all", () => {
  const waitMs = (seconds: string) =>
    parseConfig({ MESSAGE_WAIT_SECONDS: seconds }, directory).messageWaitMs;
  expect(waitMs("45")).toBe(45_000);
  expect(waitMs("0")).toBe(0);
  expect(problemsOf({ MESSAGE_WAIT_SECONDS: "0.5" })).toHaveLength(1);
});

test("accepts fractions and 0 as minutes of incidents, and nothing else but numbers", () => {
  const incidents = (open: string, close: string) =>
    parseConfig({ INCIDENT_OPEN_MINUTES: open, INCIDENT_CLOSE_MINUTES: close }, directory)
      .incidents;
  expect(incidents("0.07", "0.05")).toEqual({ opensAfterMs: 4200, closesAfterMs: 3000 });
  expect(incidents("0", "0.0")).toEqual({ opensAfterMs: 0, closesAfterMs: 0 });
  expect(incidents("15", "1440")).toEqual({ opensAfterMs: 900_000, closesAfterMs: 86_400_000 });
  for (const bad of ["-1", "1440.5", "1e2", ".5", "5.", "0x1", "1,5", "NaN"])
    expect(problemsOf({ INCIDENT_CLOSE_MINUTES: bad })).toEqual([
      "INCIDENT_CLOSE_MINUTES: must be a number from 0 to 1440; fractions such as 0.5 are allowed",
    ]);
});

test(".env.example names each variable that is read", () => {
  const read = new Set<string>();
  const none = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return undefined;
      },
    },
  );
  parseConfig(none, directory);
  const lines = readFileSync(".env.example", "utf8").split("\n");
  const named = lines.flatMap((line) => /^# ([A-Z0-9_]+)=/.exec(line)?.[1] ?? []);
  const isFile = (name: string) =>
    name.endsWith("_FILE") && SECRETS.has(name.slice(0, -"_FILE".length));
  // Proxies are also read from lower-case names.
  const variables = [...read].filter((name) => name === name.toUpperCase() && !isFile(name));
  expect(named.toSorted()).toEqual(variables.toSorted());
});
