import { holds, holdsSomewhere } from "@/lib/server/auth/access";
import type { OutboxOptions } from "@/lib/server/delivery/outbox";
import { createTestOutbox } from "@/lib/server/delivery/outbox-fixture";
import type { IncidentsApp } from "@/lib/server/operations/incidents/incidents-fixture";

/** Whether a person may be told of a company, by the roles in the application. */
export function mayReadIn({ runtime }: IncidentsApp): OutboxOptions["mayRead"] {
  return (holder, company) => holds(runtime.auth.access, holder, "view", company);
}

/** An outbox of the application, which tells of Northgate those who may be told. */
export function createAppOutbox(
  app: IncidentsApp,
  given: Pick<OutboxOptions, "send"> & Partial<OutboxOptions>,
) {
  const { database, clock, runtime } = app;
  return createTestOutbox({
    database,
    clock,
    companies: () => [{ slug: "northgate", name: "Northgate Builders", external_id: "CRM-7" }],
    mayRead: mayReadIn(app),
    mayHaveAlerts: (holder) => holdsSomewhere(runtime.auth.access, holder, "handle-incidents"),
    ...given,
  });
}
