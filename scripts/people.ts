import { parseArgs } from "node:util";
import { createAccess, type Access } from "@/lib/server/auth/access";
import { newSecret } from "@/lib/server/auth/secret";
import { systemClock } from "@/lib/server/clock";
import { parseConfig, type Config } from "@/lib/server/config/config";
import { promote, switchTo } from "@/lib/server/operations/people/change-person";
import { addResetLink, linkOf } from "@/lib/server/operations/people/invite-person";
import { grantWords, type WithAdministrators } from "@/lib/server/operations/people/person-view";
import { dropSecondFactor } from "@/lib/server/operations/people/reset-second-factor";
import type { Database } from "@/lib/server/store/database";
import { createDatabaseTime, type DatabaseTime } from "@/lib/server/store/database-time";
import {
  changePeople,
  readEverybody,
  readGivenGrants,
  readPerson,
  type ListedPerson,
  type PeopleChange,
  type PersonRow,
} from "@/lib/server/store/people/administration";
import { say } from "./terminal";
import { commandLog, loadEnvironment, runCommand, withAuditedDatabase } from "./with-database";

const USAGE =
  "npm run people -- list, or npm run people -- reset-password|reset-second-factor|disable|enable|promote EMAIL";

/**
 * `npm run people -- list`: all people who may sign in. `reset-password EMAIL` prints a one-time link to choose a new
 * password; `reset-second-factor EMAIL` lets them sign in without the app and recovery codes that they lost; `disable EMAIL` ends all sessions of that person, `enable EMAIL` allows sign-in again, and `promote EMAIL`
 * makes them an administrator. May run beside the app, with the same configuration.
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
  } else if (what === "reset-second-factor" && whom !== undefined && more.length === 0) {
    await withAuditedDatabase(config, (database) => resetSecondFactor(database, whom));
  } else if ((what === "disable" || what === "enable") && whom !== undefined && more.length === 0) {
    await withAuditedDatabase(config, (database) => turn(database, config, whom, what));
  } else if (what === "promote" && whom !== undefined && more.length === 0) {
    await withAuditedDatabase(config, (database) => promoteTo(database, config, whom));
  } else throw new Error(`Usage: ${USAGE}`);
});

/** The grants from rules, read from the app's configuration. */
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
      ...(isAlone || email === "" ? [] : [id]),
    ];
    // A provider may give no address.
    say(`${email === "" ? id : email}: ${words.join(", ")}`);
  }
}

async function resetPassword(database: Database, config: Config, email: string): Promise<void> {
  const time = timeOf(database);
  const secret = newSecret();
  const { expiresAtMs } = await change(database, email, (person, within) =>
    addResetLink({ auth: { time } }, within, { whom: person, secret }),
  );
  const origin = config.appUrl ?? `http://localhost:${config.port}`;
  say(linkOf(origin, secret));
  say(
    `It works once, until ${new Date(expiresAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC.`,
  );
}

async function resetSecondFactor(database: Database, email: string): Promise<void> {
  await change(database, email, (person, within) => dropSecondFactor(within, person));
  say(`${email}: two-step sign-in is off, and their sessions have ended.`);
}

async function turn(
  database: Database,
  config: Config,
  email: string,
  what: "disable" | "enable",
): Promise<void> {
  const runtime = runtimeOf(database, config);
  const isChanged = await change(database, email, (person, within) =>
    switchTo(runtime, within, person, what === "disable"),
  );
  say(isChanged ? `${email}: ${what}d` : `${email} is ${what}d already.`);
}

async function promoteTo(database: Database, config: Config, email: string): Promise<void> {
  const runtime = runtimeOf(database, config);
  const { isChanged, isDisabled } = await change(database, email, async (person, within) => ({
    isChanged: await promote(runtime, within, person),
    isDisabled: person.disabledAt !== null,
  }));
  say(isChanged ? `${email}: administrator` : `${email} is an administrator already.`);
  if (isDisabled) say("They're disabled. To let them sign in, use enable.");
}

function timeOf(database: Database): DatabaseTime {
  return createDatabaseTime({ database, clock: systemClock, log: commandLog() });
}

function runtimeOf(database: Database, config: Config): WithAdministrators {
  const local = { who: config.localSignIn, adminEmail: config.adminEmail };
  return { config, auth: { access: accessOf(config), local, time: timeOf(database) } };
}

/** @throws Error with a sentence if the address belongs to no person, or to several */
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
    if (person === null) throw new Error(`There's no person called ${given}.`);
    if (others.length > 0) {
      throw new Error(`Several people share ${given}. Use one of the IDs that list shows instead.`);
    }
    return work(person, within);
  });
}
