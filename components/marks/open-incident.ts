import type { Incident } from "@/lib/contracts/incidents";

/** What a page shows of an open incident beside its partner and feeds. */
export type OpenIncident = Pick<
  Incident,
  | "id"
  | "company"
  | "partner_name"
  | "began_at"
  | "acknowledged"
  | "told_at"
  | "api_clock_offset_ms"
> & { members: readonly Pick<Member, "endpoint_id" | "began_at" | "ended_at">[] };
type Member = Incident["members"][number];

export type OpenIncidents = {
  /** False until they are loaded: nothing is known of any incident. */
  isKnown: boolean;
  all: readonly OpenIncident[];
  ofPartner: ReadonlyMap<string, OpenIncident>;
  /** By the id of an endpoint that is a member in trouble or unknown. */
  ofEndpoint: ReadonlyMap<string, OpenIncident>;
};
/** Before they are loaded. */
export const NONE: OpenIncidents = {
  isKnown: false,
  all: [],
  ofPartner: new Map(),
  ofEndpoint: new Map(),
};

/** A company's open incidents, indexed by endpoint and partner. */
export function openIncidentsOf({ data }: { data: readonly OpenIncident[] }): OpenIncidents {
  const ofPartner = new Map(data.map((incident) => [incident.partner_name, incident]));
  const ofEndpoint = new Map(
    data.flatMap((incident) =>
      incident.members.flatMap((member) =>
        member.ended_at === null ? [[member.endpoint_id, incident] as const] : [],
      ),
    ),
  );
  return { isKnown: true, all: data, ofPartner, ofEndpoint };
}

/** The open incident of a partner, or of one of its feeds: null for the partner's. */
export function openIncidentOf(
  open: OpenIncidents,
  partner: string,
  endpointId: string | null,
): OpenIncident | undefined {
  return endpointId === null ? open.ofPartner.get(partner) : open.ofEndpoint.get(endpointId);
}

/** With more, the browser loads them after the page. */
const MAX_SENT = 60;

/** What a page gets of a company's open incidents from the server; null for too many. */
export function sentIncidents(incidents: readonly OpenIncident[]): OpenIncident[] | null {
  if (incidents.length > MAX_SENT) return null;
  return incidents.map(
    ({
      id,
      company,
      partner_name,
      began_at,
      acknowledged,
      told_at,
      api_clock_offset_ms,
      members,
    }) => ({
      id,
      company,
      partner_name,
      began_at,
      acknowledged,
      told_at,
      api_clock_offset_ms,
      members: members.flatMap(({ endpoint_id, began_at: began, ended_at }) =>
        ended_at === null ? [{ endpoint_id, began_at: began, ended_at }] : [],
      ),
    }),
  );
}
