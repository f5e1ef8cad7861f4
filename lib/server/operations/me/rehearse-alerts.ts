import { AlertsRehearsalRequest, type Rehearsal } from "@/lib/contracts/delivery";
import { canSee, type Person } from "@/lib/server/auth/person";
import { notValid } from "@/lib/server/http/query";
import { rehearse, type RehearsalRuntime } from "@/lib/server/operations/rules/rehearse";
import { NOT_A_RULE } from "@/lib/server/operations/rules/words";
import { toStorable } from "@/lib/server/store/storable";
import { requireAlerts } from "./alerts";

/**
 * What the person's alerts would have sent to their inbox, or by mail, in the past 30 days, for companies visible to
 * them now: `POST /api/me/alerts/rehearsal`. Ownership of a company counts from when the current owner or stand-in took
 * it over.
 * @throws Failure `invalid_request`; `forbidden` without permission to handle incidents
 */
export async function rehearseAlerts(
  runtime: RehearsalRuntime,
  { person, body }: { person: Person; body: unknown },
): Promise<Rehearsal> {
  const result = AlertsRehearsalRequest.safeParse(body);
  if (!result.success) throw notValid(result.error, NOT_A_RULE);
  requireAlerts(person);
  const { only_mine: isMine, ...rule } = toStorable(result.data);
  const companies = runtime.connections.filter(({ company }) => canSee(person, company));
  return rehearse(runtime, { rule, onlyFor: isMine ? person.id : null, companies });
}
