import type { PasswordMeter } from "@/lib/server/auth/password-meter";
import { SHORTEST_PASSWORD, weaknessOf } from "@/lib/server/auth/password-strength";
import type { Config } from "@/lib/server/config/config";
import type { Env } from "@/lib/server/environment";
import { isLoopback } from "@/lib/server/upstream/proxy";

/** 32 random characters have far more, and so have words. */
const MIN_DISTINCT = 8;
const SHORTEST_TOKEN = 16;

/** An insecure setting; `sentence` starts with its variable, and contains no value. */
export type ConfigWeakness = {
  sentence: string;
  /** Refused when the database is empty, because then a refusal locks no one out. */
  isRefused: boolean;
};

/**
 * Weaknesses of a valid configuration. Existing installations only get a warning, because a refusal
 * would stop a working system; see `isRefused`.
 */
export async function weaknessesOf(
  config: Config,
  env: Env,
  meter: PasswordMeter,
): Promise<ConfigWeakness[]> {
  const { authSecret, metricsToken, adminPassword, adminEmail, oidc, mail, connections } = config;
  const refused: string[] = [];
  const weaknesses: string[] = [];
  if (authSecret !== null && isMonotonous(authSecret)) {
    refused.push(
      "AUTH_SECRET: repeats too few characters to be a secret. Use 32 random ones, such as from: openssl rand -base64 32",
    );
  }
  if (
    metricsToken !== null &&
    (metricsToken.length < SHORTEST_TOKEN || isMonotonous(metricsToken))
  ) {
    refused.push(
      `METRICS_TOKEN: is easy to guess. Use ${SHORTEST_TOKEN} random characters or more`,
    );
  }
  if (
    adminPassword !== null &&
    (await weaknessOf(meter, adminPassword, [adminEmail, "Plumbline"]))
  ) {
    refused.push(
      `ADMIN_PASSWORD: is short or easy to guess. Use ${SHORTEST_PASSWORD} characters or more that no list of passwords has`,
    );
  }
  for (const [name, url] of [
    ["DATABASE_URL", config.databaseUrl],
    ["DATABASE_MIGRATION_URL", config.databaseMigrationUrl],
  ] as const) {
    if (url !== null && !saysTls(url, env)) {
      refused.push(
        `${name}: goes to another machine without TLS. Add ?sslmode=verify-full, or ?sslmode=disable where no one else can reach the network between`,
      );
    }
  }
  if (oidc !== null && isPlainRemote(oidc.issuer)) {
    refused.push("OIDC_ISSUER: is on another machine and has no TLS. Use its https address");
  }
  const plain = connections.filter(({ baseUrl }) => isPlainRemote(baseUrl));
  if (plain.length > 0) {
    const name = config.connectionsFile === null ? "V3_BASE_URL" : "CONNECTIONS_FILE";
    const slugs = plain.map(({ company }) => company).join(", ");
    weaknesses.push(
      `${name}: the client secret of ${slugs} is sent to another machine without TLS`,
    );
  }
  if (mail !== null && !mail.server.needsTls && !isLoopback(mail.server.host)) {
    weaknesses.push(
      "MAIL_WITHOUT_TLS: mails, and in them links that set passwords, go out in clear where the mail server offers no TLS",
    );
  }
  return [
    ...refused.map((sentence) => ({ sentence, isRefused: true })),
    ...weaknesses.map((sentence) => ({ sentence, isRefused: false })),
  ];
}

/** One or a few characters repeated, or a repeated short part. */
function isMonotonous(secret: string): boolean {
  return (
    new Set(secret).size < MIN_DISTINCT || (secret + secret).indexOf(secret, 1) < secret.length
  );
}

const isPlainRemote = (address: string) => {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !isLoopback(hostname);
};

/** Whether the address or PGSSLMODE decides about TLS for a database on another machine. */
function saysTls(address: string, env: Env): boolean {
  const { hostname, searchParams } = new URL(address);
  const host = searchParams.get("host") ?? hostname;
  // A socket is on this machine.
  if (host === "" || host.startsWith("/") || isLoopback(host)) return true;
  return searchParams.has("sslmode") || searchParams.has("ssl") || !!env["PGSSLMODE"];
}
