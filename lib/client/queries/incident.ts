import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { post, put, remove } from "@/lib/client/change";
import { incidentPath } from "@/lib/client/incident-lists";
import { isRecord } from "@/lib/client/snapshot";
import type { CareView, Incident, IncidentView } from "@/lib/contracts/incidents";
import { COMPANIES } from "./companies";
import { INCIDENTS_EVERY_MS, PARTNERS, TODAY } from "./incidents";

/** One incident with its timeline. */
export const incidentQuery = (company: string, id: number) => {
  const path = incidentPath(company, id);
  return queryOptions({
    queryKey: ["incidents", path],
    queryFn: async ({ signal }) => (await get(path, isIncidentView, signal)).value,
    refetchInterval: INCIDENTS_EVERY_MS,
  });
};

/** Owner and stand-in of a company, and the people who could be chosen. */
export const careQuery = (company: string) => {
  const path = `/companies/${encodeURIComponent(company)}/care`;
  return queryOptions({
    queryKey: ["incidents", path],
    queryFn: async ({ signal }) => (await get(path, isCareView, signal)).value,
  });
};

/** Sets the owner of a company. @param owner null: the administrators @throws ApiError */
export async function changeCareOwner(
  client: QueryClient,
  company: string,
  owner: string | null,
): Promise<void> {
  const { queryKey } = careQuery(company);
  try {
    const path = `/companies/${encodeURIComponent(company)}/care`;
    client.setQueryData(queryKey, (await put(path, { owner }, isCareView)).value);
  } finally {
    void client.invalidateQueries(COMPANIES);
    await client.invalidateQueries({ queryKey });
  }
}

/** An action on an incident. */
export type Act =
  | { kind: "acknowledge"; until: string | null; note: string }
  | { kind: "unacknowledge" }
  /** Null: the administrators. */
  | { kind: "own"; person: string | null }
  | { kind: "note"; text: string; toldCustomer: boolean; toChannels: boolean };

/** Performs it; incidents are reloaded whether or not it succeeded. @throws ApiError */
export async function actOn(
  client: QueryClient,
  company: string,
  id: number,
  act: Act,
): Promise<void> {
  try {
    await performAct(incidentPath(company, id), act);
  } finally {
    await reloadActs(client);
  }
}

/** @param path of an incident, or of a fleet incident @throws ApiError */
export async function performAct(path: string, act: Act): Promise<void> {
  if (act.kind === "acknowledge") {
    await put(`${path}/acknowledgement`, { until: act.until, note: act.note }, isRecord);
  } else if (act.kind === "unacknowledge") {
    await remove(`${path}/acknowledgement`, isRecord);
  } else if (act.kind === "own") {
    await put(`${path}/owner`, { person: act.person }, isRecord);
  } else {
    const { text, toldCustomer, toChannels } = act;
    const note = { text, told_customer: toldCustomer, to_channels: toChannels };
    await post(`${path}/notes`, note, isRecord);
  }
}

/** Reloads what shows actions on incidents. */
export async function reloadActs(client: QueryClient): Promise<void> {
  void client.invalidateQueries(COMPANIES);
  void client.invalidateQueries(TODAY);
  void client.invalidateQueries(PARTNERS);
  await client.invalidateQueries({ queryKey: ["incidents"] });
}

function isIncident(body: unknown): body is Incident {
  return isRecord(body) && typeof body["id"] === "number" && Array.isArray(body["members"]);
}

function isIncidentView(body: unknown): body is IncidentView {
  return isIncident(body) && "timeline" in body && Array.isArray(body.timeline);
}

function isCareView(body: unknown): body is CareView {
  return isRecord(body) && Array.isArray(body["people"]);
}
