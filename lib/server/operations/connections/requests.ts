import type { z } from "zod";
import { Failure } from "@/lib/contracts/failure";
import { holds, type Access } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { invalid, notValid } from "@/lib/server/http/query";
import { findPersonId } from "@/lib/server/store/connections/owners";
import type { Database } from "@/lib/server/store/database";
import { readGrantees } from "@/lib/server/store/people/grantee";
import { NOT_AN_OWNER, NOT_OF_CONNECTIONS, RULES } from "./words";

/**
 * A request's body.
 * @throws Failure `invalid_request` naming the first invalid property, and what it must be
 */
export function parseRequest<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw requestProblem(parsed.error);
}

export function requestProblem(error: z.ZodError): Failure {
  const name = String(error.issues[0]?.path[0] ?? "");
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return rule === undefined ? notValid(error, NOT_OF_CONNECTIONS) : invalid(name, rule);
}

type OwnerRuntime = { database: Database; auth: { access: Pick<Access, "find"> } };

/**
 * The person who will look after a company.
 * @param owner id or email
 * @throws Failure `invalid_request` unless they may handle the company's incidents
 */
export async function requireOwner(
  { database, auth }: OwnerRuntime,
  owner: string,
  company: string,
): Promise<{ id: string; name: string }> {
  const id = owner.includes("@") ? await findPersonId(database, owner) : owner;
  const [holder] = id === null ? [] : await readGrantees(database.orm, [id]);
  if (holder === undefined || !holds(auth.access, holder, "handle-incidents", company)) {
    throw invalid("owner", NOT_AN_OWNER);
  }
  return { id: holder.id, name: holder.name };
}

/** Who changes a connection, for the audit log. */
export const changeBy = ({ clock }: { clock: Clock }, { id, name, email }: Person) => ({
  person: { id, name, email },
  nowMs: clock.nowMs(),
});
