import { unknownCompanies, type AccessRule } from "@/lib/domain/access-rules";
import { createAccess, mayHandleBy, type Access } from "@/lib/server/auth/access";
import { judgeAccessFile } from "@/lib/server/auth/access-file";
import { createAuth, type Auth } from "@/lib/server/auth/auth";
import { PROVIDER_LIMITS } from "@/lib/server/auth/oidc/requests";
import { createProvider } from "@/lib/server/auth/provider";
import { createConfigurationFile } from "@/lib/server/configuration-file";
import type { Database } from "@/lib/server/store/database";
import { createDatabaseTime } from "@/lib/server/store/database-time";
import type { Notifications } from "@/lib/server/store/notifications";
import { takeLeftIncidents } from "@/lib/server/store/incidents/release-incidents";
import { createPlainSend } from "@/lib/server/upstream/plain-send";
import { createFactorSeals, createSeal } from "@/lib/server/upstream/seal";
import type { Process } from "./process";

/** Authentication and permissions. */
export type Identity = {
  auth: Auth;
  access: Access;
  /** Starts rereading `ACCESS_FILE`, and records the grants of the current rules. */
  start(): void;
};

/**
 * @param parts.kept database connections that requests can't take
 * @param parts.notifications delivers notifications from other instances about sessions, share
 *   links and API tokens
 * @param parts.companies slugs of the currently connected ones
 */
export function openIdentity(
  own: Process,
  parts: {
    database: Database;
    kept: Database;
    notifications: Notifications;
    appUrl: string;
    companies: () => readonly string[];
  },
): Identity {
  const { config, authSecret, clock, log, securityLog, begun } = own;
  const { database, kept, notifications, appUrl } = parts;
  const access = createAccess(config.oidc?.issuer ?? null, config.accessRules);
  const auth = createAuth({
    appUrl,
    authSecret,
    earlierAuthSecrets: config.earlierAuthSecrets,
    sessionMs: config.sessionMs,
    isWallFramed: config.wallFrameOrigins.length > 0,
    database,
    time: createDatabaseTime({ database: kept, clock, log }),
    clock,
    log,
    securityLog,
    access,
    local: { who: config.localSignIn, adminEmail: config.adminEmail },
    factorSealOf: createFactorSeals(own.authSecrets),
    identity: providerOf(own),
  });
  const recordFound = () => {
    const issuer = config.oidc?.issuer;
    if (issuer === undefined) return;
    auth.signInWithProvider
      .recordFound(issuer)
      .catch((err: unknown) =>
        log.error({ err }, "access granted by rules could not be written to the audit log"),
      );
  };
  /** They may be connected later, unless the slug was mistyped. */
  const warnOfUnknown = (rules: readonly AccessRule[]) => {
    const unknown = unknownCompanies(rules, parts.companies());
    if (unknown.length === 0) return;
    log.warn(
      { event: "access_rules_unknown_companies", companies: unknown },
      `ACCESS_FILE names companies that aren't connected, so these give no one anything: ${unknown.join(", ")}`,
    );
  };
  const file =
    config.accessFile === null
      ? null
      : createConfigurationFile({
          name: "ACCESS_FILE",
          file: config.accessFile,
          clock,
          log,
          read: judgeAccessFile,
          takeOver(rules) {
            access.replace(rules);
            auth.sessions.recheckAll();
            auth.tokens.recheckAll();
            log.info({ event: "access_rules_read", rules: rules.length }, "access rules read");
            warnOfUnknown(rules);
            recordFound();
          },
        });
  if (file !== null) begun.others.push(file);
  begun.others.push({ stop: () => auth.tokens.flush() });
  notifications.subscribe("sessions", (payload) => {
    if (payload === null) auth.sessions.recheckAll();
    else auth.sessions.forget([payload]);
  });
  notifications.subscribe("tokens", (payload) => auth.tokens.forget(payload));
  notifications.subscribe("links", (payload) => {
    auth.shareLinks.forget(payload);
    auth.calendars.forget(payload);
  });
  return {
    auth,
    access,
    start() {
      file?.start();
      warnOfUnknown(access.rules());
      recordFound();
      takeLeftIncidents(database, { nowMs: clock.nowMs(), mayHandle: mayHandleBy(access) }).catch(
        (err: unknown) =>
          log.error({ err }, "incidents of people who lost access could not be released"),
      );
    },
  };
}

/** The identity provider; null: none. */
function providerOf({ config, authSecrets, clock, stopping }: Process) {
  const { oidc } = config;
  if (oidc === null) return null;
  const send = createPlainSend({
    limits: PROVIDER_LIMITS,
    clock,
    proxies: config.proxies,
    signal: stopping.signal,
  });
  return {
    provider: createProvider({ config: oidc, clock, send }),
    seal: createSeal(authSecrets, { ...oidc, origin: oidc.issuer }, "id tokens"),
  };
}
