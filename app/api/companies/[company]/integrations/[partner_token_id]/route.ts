import { route } from "@/lib/server/gate/route";
import {
  putIntegrationName,
  removeIntegrationName,
} from "@/lib/server/operations/files/integrations";

export const PUT = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, params: { partner_token_id: id = "" }, body }) =>
    putIntegrationName(runtime, { company, person, id, body }),
);

export const DELETE = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, params: { partner_token_id: id = "" } }) =>
    removeIntegrationName(runtime, { company, person, id }),
);
