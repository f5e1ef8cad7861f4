import type { ZodError } from "zod";
import { MyAlertsRequest, type MyAlerts } from "@/lib/contracts/delivery";
import { Failure } from "@/lib/contracts/failure";
import { hasRightSomewhere } from "@/lib/domain/rights";
import { RULES_OWN } from "@/lib/domain/words/messages/delivery-text";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { notValid } from "@/lib/server/http/query";
import { checkTimeZones, timesView } from "@/lib/server/operations/rules/rules";
import { NO_MAIL, NOT_A_RULE } from "@/lib/server/operations/rules/words";
import type { Database } from "@/lib/server/store/database";
import { readOwnRule, writeOwnRule } from "@/lib/server/store/delivery/rules";
import { toStorable } from "@/lib/server/store/storable";
import { NOT_YOURS_TO_HAVE } from "./words";

type AlertsRuntime = { database: Database; clock: Clock; mailer: object | null };
type AlertsView = { data: MyAlerts | null; can_mail: boolean };

/** The caller's alert settings: `GET /api/me/alerts`; null when there are none. */
export async function getAlerts(
  { database, mailer }: AlertsRuntime,
  { person }: { person: Person },
): Promise<AlertsView> {
  const row = await readOwnRule(database.orm, person.id);
  const canMail = mailer !== null;
  if (row === null || row.own === null) return { data: null, can_mail: canMail };
  const { companies, partners, quiet, brief, ...rule } = row.rule;
  return {
    can_mail: canMail,
    data: {
      ...rule,
      ...row.own,
      companies: companies === "all" ? "all" : [...companies],
      partners: partners === "all" ? "all" : [...partners],
      quiet: quiet === null ? null : timesView(quiet),
      brief: brief === null ? null : timesView(brief),
    },
  };
}

/**
 * Sets the caller's alert settings: `PUT /api/me/alerts`.
 * @throws Failure `invalid_request`; `forbidden` for people who may not handle incidents;
 *   `conflict` where no mail is sent
 */
export async function putAlerts(
  runtime: AlertsRuntime,
  { person, body }: { person: Person; body: unknown },
): Promise<AlertsView> {
  const parsed = MyAlertsRequest.safeParse(body);
  if (!parsed.success) throw notValid(withinAlerts(parsed.error), NOT_A_RULE);
  const { alerts } = parsed.data;
  if (alerts !== null) {
    requireAlerts(person);
    if (alerts.mail && runtime.mailer === null) throw new Failure("conflict", NO_MAIL);
    checkTimeZones(alerts);
  }
  const { database, clock } = runtime;
  if (alerts === null) {
    await writeOwnRule(database, person.id, null, clock.nowMs());
  } else {
    const { inbox, mail, only_mine, ...rule } = toStorable(alerts);
    const own = { name: RULES_OWN, rule, own: { inbox, mail, only_mine } };
    await writeOwnRule(database, person.id, own, clock.nowMs());
  }
  return getAlerts(runtime, { person });
}

/** Properties are named as in a rule. */
function withinAlerts({ issues }: ZodError): Pick<ZodError, "issues"> {
  return {
    issues: issues.map((issue) =>
      issue.path.length > 1 ? { ...issue, path: issue.path.slice(1) } : issue,
    ),
  };
}

/** @throws Failure `forbidden` for people who may not handle incidents */
export function requireAlerts({ grants }: Person): void {
  if (!hasRightSomewhere(grants, "handle-incidents"))
    throw new Failure("forbidden", NOT_YOURS_TO_HAVE);
}
