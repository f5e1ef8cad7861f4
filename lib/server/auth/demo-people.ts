import type { Grant } from "@/lib/domain/rights";
import type { Database } from "@/lib/server/store/database";
import { releaseIncidents } from "@/lib/server/store/incidents/release-incidents";
import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import { readDemoRemoval } from "@/lib/server/store/demo/demo-removal";
import { changePeople, readEverybody, setDisabled } from "@/lib/server/store/people/administration";
import { deletePerson } from "@/lib/server/store/people/delete-person";
import { createPerson, findAccount } from "@/lib/server/store/people/people";
import { mayHandleBy } from "./access";
import { generatePassword, hashPassword } from "./passwords";

/** The demo's accounts besides the administrator, one for each other role. */
const PEOPLE: readonly { email: string; name: string; grants: readonly Grant[] }[] = [
  {
    email: "viewer@demo.plumbline.local",
    name: "Vera Holt",
    grants: [{ role: "viewer", company: "northgate" }],
  },
  {
    email: "member@demo.plumbline.local",
    name: "Milo Brandt",
    grants: [
      { role: "member", company: "northgate" },
      { role: "member", company: "harbour" },
    ],
  },
  {
    email: "operator@demo.plumbline.local",
    name: "Odile Serra",
    grants: [
      { role: "operator", company: "northgate" },
      { role: "operator", company: "harbour" },
      { role: "operator", company: "orchard" },
    ],
  },
];

/**
 * Creates the demo's accounts if they don't exist, unless the demo was removed. Existing ones, disabled or not, are left
 * unchanged.
 * @returns the accounts created by this call, with their passwords, which can't be read later
 */
export function ensureDemoPeople(
  database: Pick<Database, "orm">,
): Promise<{ role: string; email: string; password: string }[]> {
  return database.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.firstAdministrator);
    if ((await readDemoRemoval(tx)) !== "none") return [];
    const made = [];
    for (const { email, name, grants } of PEOPLE) {
      if ((await findAccount(tx, email, "", 0)) !== null) continue;
      const password = generatePassword();
      await createPerson(tx, { email, name, grants, passwordHash: await hashPassword(password) });
      made.push({ role: grants[0]?.role ?? "", email, password });
    }
    return made;
  });
}

/**
 * Disables the demo's accounts when the demo is off; a later demo doesn't enable them. An account that is an
 * administrator by now, or `ADMIN_EMAIL`, is left unchanged.
 * @param given.adminEmail `ADMIN_EMAIL`
 * @param given.nowMs on our clock
 */
export async function retireDemoPeople(
  database: Pick<Database, "orm">,
  { adminEmail, nowMs }: { adminEmail: string; nowMs: number },
): Promise<void> {
  const left = (await findDemoPeople(database, adminEmail)).filter(({ isDisabled }) => !isDisabled);
  if (left.length === 0) return;
  // Access rules aren't loaded yet: people with this right by a rule alone don't inherit incidents.
  const mayHandle = mayHandleBy({ find: () => [] });
  await changePeople(database, { by: null, nowMs }, async (change) => {
    for (const { id, email } of left) {
      await setDisabled(change, id, true);
      await releaseIncidents(change.tx, id, { by: null, nowMs, mayHandle });
      const because = "the demo is over";
      change.log({ action: "disable", subject: email, detail: { person: id, because } });
    }
  });
}

/**
 * Deletes the accounts that `retireDemoPeople` disabled, with their sessions, tokens and alerts. An account whose acts
 * other companies' history refers to stays disabled.
 * @param adminEmail `ADMIN_EMAIL`
 */
export async function deleteDemoPeople(
  database: Pick<Database, "orm">,
  adminEmail: string,
): Promise<void> {
  for (const { id, isDisabled } of await findDemoPeople(database, adminEmail)) {
    if (isDisabled) await deletePerson(database, id);
  }
}

async function findDemoPeople(database: Pick<Database, "orm">, adminEmail: string) {
  const emails = new Set(PEOPLE.map(({ email }) => email));
  emails.delete(adminEmail.trim().toLowerCase());
  return (await readEverybody(database)).filter(
    ({ email, issuer, isAdministrator }) =>
      issuer === null && !isAdministrator && emails.has(email),
  );
}
