import type { Display } from "@/lib/contracts/wall";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import {
  changeDisplay as change,
  requestReload,
  revokeDisplay as revoke,
  type DisplayRow,
} from "@/lib/server/store/displays/displays";
import { isUuid } from "@/lib/server/http/query";
import {
  actionOf,
  displayView,
  noSuchDisplay,
  settingsOf,
  type DisplayRuntime,
} from "./display-view";
import { UNPAIRED } from "./words";

type Given = { id: string; person: Person };

/**
 * Changes a display's name, location and content: `PATCH /api/displays/[id]`. The display follows
 * within seconds.
 * @throws Failure `invalid_request`; `not_found`; `conflict` when it is revoked
 */
export async function changeDisplay(
  runtime: DisplayRuntime,
  { id, person, body }: Given & { body: unknown },
): Promise<Display> {
  const settingsFor = ({ settings, revokedAt }: DisplayRow) => {
    if (revokedAt !== null) throw unpaired();
    return settingsOf(runtime, body, settings);
  };
  return found(
    isUuid(id) ? await change(runtime.database, id, settingsFor, actionOf(runtime, person)) : null,
  );
}

/**
 * Makes a display reload its page: `POST /api/displays/[id]/reload`.
 * @throws Failure `not_found`; `conflict` when it is revoked
 */
export async function reloadDisplay(
  runtime: DisplayRuntime,
  { id, person }: Given,
): Promise<Display> {
  const row = isUuid(id)
    ? await requestReload(runtime.database, id, actionOf(runtime, person))
    : null;
  if (row !== null && row.revokedAt !== null) throw unpaired();
  return found(row);
}

/**
 * Unpairs a display: `POST /api/displays/[id]/revoke`. Its screen is signed out within seconds; one
 * that is revoked already is returned unchanged.
 * @param given.address the client's true address
 * @throws Failure `not_found`
 */
export async function revokeDisplay(
  runtime: DisplayRuntime,
  { id, person, address }: Given & { address: string },
): Promise<Display> {
  const action = actionOf(runtime, person);
  const row = isUuid(id) ? await revoke(runtime.database, id, action) : null;
  if (row?.revokedAt?.getTime() === action.nowMs) {
    const display = { display: row.id, display_name: row.settings.name };
    runtime.securityLog.record("display_revoked", { address, person }, display);
  }
  return found(row);
}

function found(row: DisplayRow | null): Display {
  if (row === null) throw noSuchDisplay();
  return displayView(row);
}

function unpaired(): Failure {
  return new Failure("conflict", UNPAIRED);
}
