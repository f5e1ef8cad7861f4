import type { Person } from "@/lib/server/auth/person";
import { putAllowance } from "@/lib/server/operations/allowances/allowances";
import { putIntegrationName } from "@/lib/server/operations/files/integrations";
import { handOver } from "@/lib/server/operations/incidents/hand-over";
import type { IncidentsRuntime } from "@/lib/server/operations/incidents/incident-view";
import { makeLink } from "@/lib/server/operations/links/make-link";
import { planQuiet } from "@/lib/server/operations/quiet/expectations";
import { makePromise } from "@/lib/server/operations/promises/promises";
import { readFileIndex } from "@/lib/server/store/files/schedule-files";
import { findAccount } from "@/lib/server/store/people/people";
import { believablePromises, PROMISED_MS } from "./believable-promises";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";

type Runtime = Parameters<typeof makeLink>[0] &
  Parameters<typeof putAllowance>[0] &
  IncidentsRuntime & { appUrl: string };

type Given = { runtime: Runtime; administrator: Person; memberId: string };

const COMPANY = "northgate";
const LENT_COMPANY = "harbour";
/** 1 January 1970 was a Thursday. */
const SATURDAY = 2;

/** What the administrator of a demo does in it, in this order. */
const ACTS: readonly ((given: Given) => Promise<unknown>)[] = [
  planUpgrade,
  shareLink,
  lendCompany,
  enterAllowance,
  makePromises,
];
/** And once the schedule files are known. */
const ACTS_ON_FILES: typeof ACTS = [nameIntegration];

type People = {
  /** Email of the person who does it. */
  administrator: string;
  /** Email of the colleague who stands in. */
  member: string;
};

/**
 * Gives a new demo one of each thing that only people make, by the operations that people use: a planned quiet time, a
 * share link, a handover, an allowance and promises. Call once, when all its companies have a snapshot.
 * @throws Error if there is no such person; Failure of the operations
 */
export async function populateDemo(runtime: Runtime, people: People): Promise<void> {
  await act(runtime, people, ACTS);
}

/**
 * The same for its schedule files: the name of an integration. Call until it returns true: its files must be known.
 * @returns whether it was done
 * @throws as above
 */
export async function populateDemoFiles(runtime: Runtime, people: People): Promise<boolean> {
  const index = await readFileIndex(runtime.database.orm, COMPANY);
  if (index?.complete !== true) return false;
  await act(runtime, people, ACTS_ON_FILES);
  return true;
}

async function act(runtime: Runtime, people: People, acts: typeof ACTS): Promise<void> {
  const find = async (email: string) => {
    const account = await findAccount(runtime.database.orm, email, "", 0);
    if (account === null) throw new Error(`there is no account ${email}`);
    return account;
  };
  const { id, email, name } = await find(people.administrator);
  const grants = [{ role: "administrator", company: null }] as const;
  const administrator: Person = { id, email, name, kind: "local", grants };
  const { id: memberId } = await find(people.member);
  for (const one of acts) await one({ runtime, administrator, memberId });
}

/** On a Saturday evening, more than a day ahead. */
function planUpgrade({ runtime, administrator: person }: Given) {
  const tomorrow = Math.floor(runtime.clock.nowMs() / DAY_MS) + 2;
  const saturday = tomorrow + ((SATURDAY - (tomorrow % 7) + 7) % 7);
  const fromMs = saturday * DAY_MS + 20 * HOUR_MS;
  return planQuiet(runtime, {
    company: COMPANY,
    person,
    body: {
      partner: "Primavera P6",
      reason: "Upgrade of the P6 server",
      from: new Date(fromMs).toISOString(),
      until: new Date(fromMs + 6 * HOUR_MS).toISOString(),
    },
  });
}

function shareLink({ runtime, administrator: person }: Given) {
  return makeLink(runtime, {
    company: COMPANY,
    person,
    address: "127.0.0.1",
    origin: runtime.appUrl,
    body: { partner: "Procore", shows: "both", days: 14, for: "Procore support" },
  });
}

function lendCompany({ runtime, administrator: person, memberId: to }: Given) {
  const until = new Date(runtime.clock.nowMs() + 7 * DAY_MS).toISOString();
  return handOver(runtime, { person, body: { companies: [LENT_COMPANY], to, until } });
}

function enterAllowance({ runtime, administrator: person }: Given) {
  return putAllowance(runtime, {
    company: COMPANY,
    person,
    partner: "Procore",
    body: { calls: 2500, per: "day", note: "As in the contract" },
  });
}

/** Chosen by what its record would have kept. */
async function makePromises({ runtime, administrator: person }: Given) {
  for (const body of await believablePromises(runtime, COMPANY))
    await makePromise(runtime, { company: COMPANY, person, body, agoMs: PROMISED_MS });
}

function nameIntegration({ runtime, administrator: person }: Given) {
  return putIntegrationName(runtime, {
    company: COMPANY,
    person,
    id: "901",
    body: { name: "P6 Oslo" },
  });
}
