import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { patch, post, put, remove } from "@/lib/client/change";
import { isRecord } from "@/lib/client/snapshot";
import type {
  AlarmLoadView,
  MyAlarmLoad,
  Suggestions,
} from "@/lib/contracts/alarm-load/alarm-load";
import type { MyAlerts, Rehearsal, RuleView } from "@/lib/contracts/delivery";
import { isNothing, resource } from "./resource";

const EVERY_MS = 30_000;
const LOAD_EVERY_MS = 300_000;
const rules = resource("rules");
const myAlerts = resource("my-alerts");

/** A rule to create. */
export type RuleRequest = Omit<RuleView, "id" | "created_at">;
/** The fields of a rule that decide what it sends. */
export type RuleFields = Omit<RuleRequest, "name" | "channels">;
/** Same, for personal alerts. */
export type AlertsFields = Omit<MyAlerts, "inbox" | "mail">;

/** All alert rules. */
export const rulesQuery = queryOptions({
  queryKey: ["rules"],
  queryFn: async ({ signal }) => (await get("/rules", isRules, signal)).value.data,
  refetchInterval: EVERY_MS,
});

/** The person's own alerts; `data` null: none. `can_mail`: whether mail is possible too. */
export type MyAlertsView = { data: MyAlerts | null; can_mail: boolean };

export const myAlertsQuery = queryOptions({
  queryKey: ["my-alerts"],
  queryFn: async ({ signal }) => (await get("/me/alerts", isMyAlerts, signal)).value,
  // Don't overwrite the form while it is being edited.
  refetchOnWindowFocus: false,
});

/** What a rule, or the person's alerts, would have sent until now. @throws ApiError */
export const rehearsalQuery = (rule: RuleFields | AlertsFields) =>
  queryOptions({
    queryKey: ["rehearsal", rule],
    queryFn: async () => {
      const path = "only_mine" in rule ? "/me/alerts/rehearsal" : "/rules/rehearsal";
      return (await post(path, rule, isRehearsal)).value.data;
    },
    staleTime: EVERY_MS,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** How many messages the person gets, and what would make it fewer. Rehearsed, so not refetched while the page is open. */
export const myAlarmLoadQuery = queryOptions({
  queryKey: ["my-alerts", "alarm-load"],
  queryFn: async ({ signal }) => (await get("/me/alarm-load", isMyLoad, signal)).value.data,
  staleTime: Infinity,
  retry: false,
});

/** What would make a rule quieter. @throws ApiError */
export const quieterRuleQuery = (rule: RuleFields) =>
  queryOptions({
    queryKey: ["quieter-rule", rule],
    queryFn: async () => (await post("/rules/rehearsal/quieter", rule, isSuggestions)).value.data,
    staleTime: LOAD_EVERY_MS,
    retry: false,
  });

/** How many messages each person and channel gets. */
export const alarmLoadQuery = queryOptions({
  queryKey: ["rules", "alarm-load"],
  queryFn: async ({ signal }) => (await get("/rules/alarm-load", isLoad, signal)).value,
  refetchInterval: LOAD_EVERY_MS,
});

/** @throws ApiError */
export function makeRule(client: QueryClient, request: RuleRequest): Promise<unknown> {
  return rules.changed(client, post("/rules", request, isRecord));
}

/** Creates a rule under an id of ours; sent again, it creates no second one. @throws ApiError */
export function putRule(client: QueryClient, id: string, request: RuleRequest): Promise<unknown> {
  return rules.changed(client, put(rules.pathOf(id), request, isRecord));
}

/** @throws ApiError; 404 if it was already removed */
export function changeRule(
  client: QueryClient,
  id: string,
  request: RuleRequest,
): Promise<unknown> {
  return rules.changed(client, patch(rules.pathOf(id), request, isRecord));
}

/** @throws ApiError; 404 if it was already removed */
export function removeRule(client: QueryClient, id: string): Promise<unknown> {
  return rules.changed(client, remove(rules.pathOf(id), isNothing));
}

/** @param alerts null: none. @throws ApiError */
export function saveMyAlerts(client: QueryClient, alerts: MyAlerts | null): Promise<unknown> {
  return myAlerts.changed(client, put("/me/alerts", { alerts }, isAnything));
}

function isRules(body: unknown): body is { data: RuleView[] } {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isMyAlerts(body: unknown): body is MyAlertsView {
  return isRecord(body) && (body["data"] === null || isRecord(body["data"]));
}

function isRehearsal(body: unknown): body is { data: Rehearsal } {
  return isRecord(body) && isRecord(body["data"]) && Array.isArray(body["data"]["messages"]);
}

function isMyLoad(body: unknown): body is { data: MyAlarmLoad } {
  return isRecord(body) && isRecord(body["data"]) && Array.isArray(body["data"]["suggestions"]);
}

function isSuggestions(body: unknown): body is { data: Suggestions } {
  return isRecord(body) && isRecord(body["data"]) && Array.isArray(body["data"]["suggestions"]);
}

function isLoad(body: unknown): body is AlarmLoadView {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isAnything(body: unknown): body is unknown {
  return body !== undefined;
}
