import { AlertsRehearsalRequest, type Rehearsal } from "@/lib/contracts/delivery";
import { canSee, type Person } from "@/lib/server/auth/person";
import { notValid } from "@/lib/server/http/query";
import { rehearse, type RehearsalRuntime } from "@/lib/server/operations/rules/rehearse";
import { NOT_A_RULE } from "@/lib/server/operations/rules/words";
import { toStorable } from "@/lib/server/store/storable";
import { requireAlerts } from "./alerts";

/**
 * What one's own alerts would have sent to one's inbox, or by mail, in the past 30 days, of companies that one may see
 * now: `POST /api/me/alerts/rehearsal`. Companies count as looked after since their present owner or stand-in does.
 * @throws Failure `invalid_request`; `forbidden` for whoever handles no incidents
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
