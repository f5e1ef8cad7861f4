import type { RowPromise } from "@/lib/contracts/row-promise";
import type { EndpointRecord, SnapshotChanges } from "@/lib/server/store/sync/records";

/** The endpoints with their current promises, the changed ones among them, and the promises of all others. */
export function withPromises(
  endpoints: Map<string, EndpointRecord>,
  changed: SnapshotChanges["endpoints"],
  promises: ReadonlyMap<string, RowPromise | null>,
): {
  endpoints: Map<string, EndpointRecord>;
  changed: SnapshotChanges["endpoints"];
  promises: SnapshotChanges["promises"];
} {
  if (promises.size === 0) return { endpoints, changed, promises: [] };
  const after = new Map(endpoints);
  for (const [id, promise] of promises) {
    const before = endpoints.get(id);
    if (before !== undefined) after.set(id, { ...before, promise });
  }
  const changedIds = new Set(changed.map(({ id }) => id));
  return {
    endpoints: after,
    changed: changed.map(({ id, record }) => ({ id, record: after.get(id) ?? record })),
    promises: [...promises].flatMap(([endpointId, promise]) =>
      changedIds.has(endpointId) ? [] : { endpointId, promise },
    ),
  };
}
