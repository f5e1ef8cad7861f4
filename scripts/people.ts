import { parseArgs } from "node:util";
import { createAccess, type Access } from "@/lib/server/auth/access";
import { newSecret } from "@/lib/server/auth/secret";
import { systemClock } from "@/lib/server/clock";
import { parseConfig, type Config } from "@/lib/server/config";
import { switchTo } from "@/lib/server/operations/people/change-person";
import { addResetLink, linkOf } from "@/lib/server/operations/people/invite-person";
import { grantWords } from "@/lib/server/operations/people/person-view";
import type { Database } from "@/lib/server/store/database";
import { createDatabaseTime } from "@/lib/server/store/database-time";
import {
  changePeople,
  readEverybody,
  readGivenGrants,
  readPerson,
  type ListedPerson,
  type PeopleChange,
  type PersonRow,
} from "@/lib/server/store/people/administration";
import { commandLog, loadEnvironment, runCommand, withAuditedDatabase } from "./with-database";

const USAGE =
  "npm run people -- list, npm run people -- reset-password EMAIL, or npm run people -- disable EMAIL";

/**
 * `npm run people -- list`: everybody who may sign in. `reset-password EMAIL` prints a link by which that person chooses
 * a new password, once; `disable EMAIL` ends all their sessions. May run beside the app, with the same configuration.
 */
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [what, whom, ...more] = positionals;
  loadEnvironment();
  const config = parseConfig(process.env, process.cwd());
  if (what === "list" && whom === undefined) {
    await withAuditedDatabase(config, (database) => list(database, config));
  } else if (what === "reset-password" && whom !== undefined && more.length === 0) {
    await withAuditedDatabase(config, (database) => resetPassword(database, config, whom));
  } else if (what === "disable" && whom !== undefined && more.length === 0) {
    await withAuditedDatabase(config, (database) => disable(database, config, whom));
  } else throw new Error(`Usage: ${USAGE}`);
});

/** What the rules give people now, as the app reads them from the same configuration. */
function accessOf({ oidc, accessRules }: Config): Access {
  return createAccess(oidc?.issuer ?? null, accessRules);
}

async function list(database: Database, config: Config): Promise<void> {
  const access = accessOf(config);
  const everybody = await readEverybody(database);
  for (const person of everybody.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
    const { id, email, name, issuer, isDisabled, canSignIn } = person;
    const given = await readGivenGrants(database.orm, id);
    const found = isDisabled ? [] : access.find(person);
    const byRule = found.length === 0 ? "" : `, by rules ${grantWords(found)}`;
    const byHand = given.length === 0 && found.length > 0 ? "" : `, ${grantWords(given)}`;
    const isAlone = everybody.filter((one) => one.email === email).length === 1;
    const words = [
      name,
      `${issuer === null ? "local" : "identity provider"}${byHand}${byRule}`,
      ...(isDisabled ? ["disabled"] : canSignIn ? [] : ["invited"]),
      ...(isAlone ? [] : [id]),
    ];
    console.log(`${email}: ${words.join(", ")}`);
  }
}

async function resetPassword(database: Database, config: Config, email: string): Promise<void> {
  const time = createDatabaseTime({ database, clock: systemClock, log: commandLog() });
  const secret = newSecret();
  const { expiresAtMs } = await change(database, email, (person, within) =>
    addResetLink({ auth: { time } }, within, { whom: person, secret }),
  );
  const origin = config.appUrl ?? `http://localhost:${config.port}`;
  console.log(linkOf(origin, secret));
  console.log(
    `It works once, until ${new Date(expiresAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC.`,
  );
}

async function disable(database: Database, config: Config, email: string): Promise<void> {
  const isChanged = await change(database, email, (person, within) =>
    switchTo({ auth: { access: accessOf(config) } }, within, person, true),
  );
  console.log(isChanged ? `${email}: disabled` : `${email} is disabled already.`);
}

/** @throws Error with a sentence when the address is nobody's, or not just one person's */
async function change<T>(
  database: Database,
  given: string,
  work: (person: PersonRow, within: PeopleChange) => Promise<T>,
): Promise<T> {
  const nowMs = systemClock.nowMs();
  return changePeople(database, { by: null, nowMs }, async (within) => {
    const isMeant = ({ id, email }: ListedPerson) => id === given || email === given.toLowerCase();
    const [found, ...others] = (await readEverybody({ orm: within.tx })).filter(isMeant);
    const person = found === undefined ? null : await readPerson(within.tx, found.id);
    if (person === null) throw new Error(`There's nobody called ${given}.`);
    if (others.length > 0) {
      throw new Error(`Several people share ${given}. Use one of the IDs that list shows instead.`);
    }
    return work(person, within);
  });
}
