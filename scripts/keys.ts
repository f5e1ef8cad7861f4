import { parseArgs } from "node:util";
import { parseConfig } from "@/lib/server/config/config";
import { createFactorSeals, createSeal, OURS, type Seal } from "@/lib/server/upstream/seal";
import { createConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import { readConnections, resealConnections } from "@/lib/server/store/connections/connections";
import { resealChannels } from "@/lib/server/store/delivery/channels";
import { resealTokens } from "@/lib/server/store/upstream/upstream-tokens";
import { resealSecondFactors } from "@/lib/server/store/people/second-factors";
import type { AuthSecrets } from "@/lib/server/keys";
import type { Database } from "@/lib/server/store/database";
import type { Connection } from "@/lib/server/upstream/upstream";
import { CommandError } from "@/lib/v3-service/command";
import { resealSigningKeys } from "@/lib/v3-service/signing-keys";
import type { Resealed } from "@/lib/server/store/reseal";
import { say } from "./terminal";
import { authSecretsOf, loadEnvironment, runCommand, withAuditedDatabase } from "./with-database";

const USAGE = `Usage: npm run keys -- reseal

Seals everything that the database keeps secret with the present AUTH_SECRET; EARLIER_AUTH_SECRETS opens what is older.
Once it says that nothing is left, EARLIER_AUTH_SECRETS can go. May run beside the app.`;

/** `npm run keys -- reseal`: see `USAGE`, and docs/keys.md. Exits 1 if something can't be opened any more. */
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.join(" ") !== "reseal") throw new CommandError(USAGE);
  loadEnvironment();
  const config = parseConfig(process.env, process.cwd());
  const secrets = authSecretsOf(config);
  const sealOf = (use: "channel settings" | "v3 signing keys") => createSeal(secrets, OURS, use);
  await withAuditedDatabase(config, async (database) => {
    const lost = tell(
      "settings of channels",
      await resealChannels(database, sealOf("channel settings")),
      {
        lost: "enter them again at /settings/channels",
      },
    );
    const lostSecrets = tell(
      "client secrets of connections",
      await resealConnections(database, createConnectionSeals(secrets)),
      {
        lost: "enter them again at /settings/connections",
      },
    );
    const lostFactors = tell(
      "secrets of authenticator apps",
      await resealSecondFactors(database, createFactorSeals(secrets)),
      {
        lost: "recovery codes still work; otherwise use npm run people -- reset-second-factor EMAIL",
      },
    );
    if (lost + lostSecrets + lostFactors > 0) process.exitCode = 1;
    tell(
      "signing keys of the v3 service",
      await resealSigningKeys(database, sealOf("v3 signing keys")),
      {
        lost: "the next start makes a new one",
      },
    );
    const connections = [...config.connections, ...(await browserConnections(database, secrets))];
    tell(
      "access tokens of sources",
      await resealTokens(database, tokenSeals(connections, secrets)),
      {
        lost: "they're requested again",
      },
    );
  });
  say(
    "Sessions that began before AUTH_SECRET was changed have ended. Share links from before it open for as long as EARLIER_AUTH_SECRETS names the earlier one; the last of them ends 30 days after the change.",
  );
});

/** The connections made in a browser, without those whose secret can't be opened. */
async function browserConnections(
  database: Database,
  secrets: AuthSecrets,
): Promise<Pick<Connection, "baseUrl" | "clientId" | "clientSecret">[]> {
  const seals = createConnectionSeals(secrets);
  return (await readConnections(database)).flatMap(({ baseUrl, clientId, sealed }) => {
    const clientSecret = sealed === null ? null : seals({ baseUrl, clientId }).open(sealed);
    return clientSecret === null ? [] : { baseUrl, clientId, clientSecret };
  });
}

/** The seal of each connection's tokens, with their origin and client. */
function tokenSeals(
  connections: readonly Pick<Connection, "baseUrl" | "clientId" | "clientSecret">[],
  secrets: AuthSecrets,
): { origin: string; clientId: string; seal: Seal }[] {
  return connections.map(({ baseUrl, clientId, clientSecret }) => {
    const { origin } = new URL(baseUrl);
    return { origin, clientId, seal: createSeal(secrets, { origin, clientId, clientSecret }) };
  });
}

/** @returns number of lost ones */
function tell(
  what: string,
  { resealed, current, lost }: Resealed,
  words: { lost: string },
): number {
  say(`${what}: ${resealed} sealed again, ${current} up to date`);
  if (lost > 0) {
    say(`  ${lost} can't be opened with any secret that is known: ${words.lost}`);
  }
  return lost;
}
