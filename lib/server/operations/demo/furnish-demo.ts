import type { Person } from "@/lib/server/auth/person";
import { handOver } from "@/lib/server/operations/incidents/hand-over";
import type { IncidentsRuntime } from "@/lib/server/operations/incidents/incident-view";
import { makeLink } from "@/lib/server/operations/links/make-link";
import { planQuiet } from "@/lib/server/operations/quiet/expectations";
import { findAccount } from "@/lib/server/store/people/people";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";

type Runtime = Parameters<typeof makeLink>[0] & IncidentsRuntime & { appUrl: string };

type Given = { runtime: Runtime; administrator: Person; memberId: string };

const COMPANY = "northgate";
const LENT_COMPANY = "harbour";
/** 1 January 1970 was a Thursday. */
const SATURDAY = 2;

/** What the administrator of a demo does in it, in this order. */
const ACTS: readonly ((given: Given) => Promise<unknown>)[] = [planUpgrade, shareLink, lendCompany];

/**
 * Gives a new demo one of each thing that only people make, by the operations that people use: a planned quiet time, a
 * share link, and a handover. Call once, when all its companies have a snapshot.
 * @param who.administrator email of the person who does it
 * @param who.member email of the colleague who stands in
 * @throws Error if there is no such person; Failure of the operations
 */
export async function furnishDemo(
  runtime: Runtime,
  who: { administrator: string; member: string },
): Promise<void> {
  const find = async (email: string) => {
    const account = await findAccount(runtime.database.orm, email, "", 0);
    if (account === null) throw new Error(`there is no account ${email}`);
    return account;
  };
  const { id, email, name } = await find(who.administrator);
  const grants = [{ role: "administrator", company: null }] as const;
  const administrator: Person = { id, email, name, kind: "local", grants };
  const { id: memberId } = await find(who.member);
  for (const act of ACTS) await act({ runtime, administrator, memberId });
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
