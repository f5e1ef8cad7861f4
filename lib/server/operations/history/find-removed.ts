import type { RemovedFeed } from "@/lib/contracts/endpoint/removed-feed";
import { onlyOfName } from "@/lib/domain/text/same-name";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import {
  readRecordedEndpoints,
  type RecordedEndpoint,
} from "@/lib/server/store/history/recorded-endpoints";

/** @property apiClockOffsetMs API clock minus our clock */
type Of = { company: string; apiClockOffsetMs: number };

/** The recorded feeds of a partner that the API no longer lists; empty if there never was one of that exact name. */
export async function findRemovedPartner(
  { database }: { database: Database },
  { company, apiClockOffsetMs }: Of,
  partnerName: string,
): Promise<RemovedFeed[]> {
  const recorded = await readOf(database, company, { partnerName });
  return recorded.map((endpoint) => removedFeed(endpoint, apiClockOffsetMs));
}

/**
 * A recorded feed that the API no longer lists, by its id or, where unique, by its key.
 * @param wanted.partnerName null: the address names none
 */
export async function findRemovedEndpoint(
  { database }: { database: Database },
  { company, apiClockOffsetMs }: Of,
  { partnerName, endpoint }: { partnerName: string | null; endpoint: string },
): Promise<RemovedFeed | null> {
  const [byId] = await readOf(database, company, { endpointId: endpoint });
  const found =
    byId ??
    (partnerName === null
      ? null
      : onlyOfName(
          endpoint,
          await readOf(database, company, { partnerName }),
          ({ endpointKey }) => endpointKey,
        ));
  return found === null ? null : removedFeed(found, apiClockOffsetMs);
}

/** @param wanted names from an address: PostgreSQL text can't contain a NUL character */
async function readOf(
  database: Database,
  company: string,
  wanted: { partnerName: string } | { endpointId: string },
): Promise<RecordedEndpoint[]> {
  if (Object.values(wanted).some((name) => name.includes("\0"))) return [];
  return readRecordedEndpoints(database, company, wanted);
}

function removedFeed(
  { id, endpointKey, partnerName, lastReportedMs, frequencyMinutes }: RecordedEndpoint,
  apiClockOffsetMs: number,
): RemovedFeed {
  return {
    id,
    endpointKey,
    partnerName,
    lastListedMs: lastReportedMs === null ? null : lastReportedMs + apiClockOffsetMs,
    cadenceMs: frequencyMinutes === null ? null : frequencyMinutes * MINUTE_MS,
  };
}
