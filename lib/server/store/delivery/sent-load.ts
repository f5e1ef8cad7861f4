import type { Database } from "@/lib/server/store/database";

/** A person or a channel that got messages. `personId` null: a channel. */
export type Recipient = { id: string; personId: string | null; name: string };

/** Messages about one incident, or about none. */
export type SentAbout = {
  /** Of the recipient. */
  recipient: string;
  /** Null: about several companies. */
  company: string | null;
  incidentId: number | null;
  /** Inbox and mail get the same messages, which count once. */
  messages: number;
  partnerName: string | null;
  /** The endpoint that opened the incident; null: no incident. */
  endpoint: { id: string; key: string } | null;
};

/**
 * Messages that were sent since a time, by recipient and incident: without those that were included in another one, and
 * those that name a company outside of `companies`.
 * @param given.personId only those to this person; null: those to everyone, and to channels
 * @param given.most rows that are read at most
 */
export async function readSentLoad(
  { pool }: Pick<Database, "pool">,
  {
    sinceMs,
    personId,
    companies,
    most,
  }: { sinceMs: number; personId: string | null; companies: readonly string[]; most: number },
): Promise<{ recipients: Recipient[]; sent: SentAbout[] }> {
  const { rows } = await pool.query<{
    recipient: string;
    person: string | null;
    name: string;
    company: string | null;
    incident: number | null;
    messages: number;
    partner: string | null;
    endpoint: { endpointId: string; endpointKey: string } | null;
  }>(
    `select sent.*, i.partner_name as partner, i.members->0 as endpoint
     from (
       select coalesce(d.person_id, d.channel_id) as recipient, d.person_id as person,
         (array_agg(coalesce(p.name, d.to_name) order by d.seq desc))[1] as name, d.company, d.incident_id as incident,
         count(distinct d.key)::int as messages
       from deliveries d left join people p on p.id = d.person_id
       where d.state = 'sent' and d.told_in is null and d.due_at > $1
         and ($2::uuid is null or d.person_id = $2)
         and (d.company is null or d.company = any ($3)) and (d.about is null or d.about <@ $3)
         and coalesce(d.person_id, d.channel_id) is not null
       group by 1, 2, d.company, d.incident_id
       order by messages desc
       limit $4
     ) sent left join incidents i on i.company = sent.company and i.id = sent.incident`,
    [new Date(sinceMs).toISOString(), personId, [...companies], most],
  );
  const recipients = new Map(
    rows.map(({ recipient: id, person, name }) => [id, { id, personId: person, name }] as const),
  );
  return {
    recipients: [...recipients.values()],
    sent: rows.map(({ recipient, company, incident, messages, partner, endpoint }) => ({
      recipient,
      company,
      incidentId: incident,
      messages,
      partnerName: partner,
      endpoint: endpoint === null ? null : { id: endpoint.endpointId, key: endpoint.endpointKey },
    })),
  };
}

/** The endpoints of some incidents, by company and incident. */
export async function readIncidentEndpoints(
  { pool }: Pick<Database, "pool">,
  incidents: readonly { company: string; id: number }[],
): Promise<Map<string, ReadonlySet<string>>> {
  const { rows } = await pool.query<{ company: string; id: number; endpoints: string[] }>(
    `select i.company, i.id, array(select member->>'endpointId' from jsonb_array_elements(i.members) as member) as endpoints
     from unnest($1::text[], $2::int[]) as wanted(company, id)
       join incidents i on i.company = wanted.company and i.id = wanted.id`,
    [incidents.map(({ company }) => company), incidents.map(({ id }) => id)],
  );
  return new Map(
    rows.map(({ company, id, endpoints }) => [incidentKey(company, id), new Set(endpoints)]),
  );
}

/** Identifies an incident among those of all companies. */
export const incidentKey = (company: string, id: number) => `${company} ${id}`;
