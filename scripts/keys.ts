import { parseArgs } from "node:util";
import { parseConfig, type Config } from "@/lib/server/config/config";
import { createFactorSeals, createSeal, OURS, type Seal } from "@/lib/server/upstream/seal";
import { resealChannels } from "@/lib/server/store/delivery/channels";
import { resealTokens } from "@/lib/server/store/upstream/upstream-tokens";
import { resealSecondFactors } from "@/lib/server/store/people/second-factors";
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
    const lostFactors = tell(
      "secrets of authenticator apps",
      await resealSecondFactors(database, createFactorSeals(secrets)),
      {
        lost: "recovery codes still work; otherwise use npm run people -- reset-second-factor EMAIL",
      },
    );
    if (lost + lostFactors > 0) process.exitCode = 1;
    tell(
      "signing keys of the v3 service",
      await resealSigningKeys(database, sealOf("v3 signing keys")),
      {
        lost: "the next start makes a new one",
      },
    );
    tell("access tokens of sources", await resealTokens(database, tokenSeals(config)), {
      lost: "they're requested again",
    });
  });
  say(
    "Sessions that began before AUTH_SECRET was changed have ended. Share links from before it open for as long as EARLIER_AUTH_SECRETS names the earlier one; the last of them ends 30 days after the change.",
  );
});

/** The seal of each connection's tokens, with their origin and client. */
function tokenSeals(config: Config): { origin: string; clientId: string; seal: Seal }[] {
  return config.connections.map(({ baseUrl, clientId, clientSecret }) => {
    const { origin } = new URL(baseUrl);
    const seal = createSeal(authSecretsOf(config), { origin, clientId, clientSecret });
    return { origin, clientId, seal };
  });
}

/** @returns number of lost ones */
function tell(
  what: string,
  { resealed, current, lost }: Resealed,
  words: { lost: string },
): number {
  say(`${what}: ${resealed} sealed again, ${current} were already`);
  if (lost > 0) {
    say(`  ${lost} can't be opened with any secret that is known: ${words.lost}`);
  }
  return lost;
}
