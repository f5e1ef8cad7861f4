import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { patch, post, remove } from "@/lib/client/change";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type {
  KeptPerPromiseView,
  KeptView,
  PromiseImported,
  PromiseRequest,
  PromiseView,
  RehearsalView,
} from "@/lib/contracts/promises";
import { isNothing, resource } from "./resource";

const EVERY_MS = 30_000;
/** Days close a few times a day. */
const KEPT_EVERY_MS = 2 * 60_000;
/** A rehearsal reads up to three months of history. */
const REHEARSAL_MS = 30_000;
const promises = resource("promises", ["promises-kept"]);

/** The promises to a company, oldest first. */
export const promisesQuery = (company: string) =>
  queryOptions({
    queryKey: ["promises", company],
    queryFn: async ({ signal }) =>
      (await get(companyPath(company, "promises", {}), isPromises, signal)).value.data,
    refetchInterval: EVERY_MS,
  });

/** The promises whose scope includes a feed, oldest first. */
export const promisesOfQuery = (company: string, endpoint: string) =>
  queryOptions({
    queryKey: ["promises", company, endpoint],
    queryFn: async ({ signal }) =>
      (await get(companyPath(company, "promises", { endpoint }), isPromises, signal)).value.data,
    refetchInterval: EVERY_MS,
  });

/** The closed days of a month by promise. @param month "2026-11" */
export const keptPerPromiseQuery = (company: string, month: string) =>
  queryOptions({
    queryKey: ["promises-kept", company, month],
    queryFn: async ({ signal }) => {
      const path = companyPath(company, "promises/kept", { month, per: "promise" });
      return (await get(path, isKeptPerPromise, signal)).value;
    },
    refetchInterval: KEPT_EVERY_MS,
  });

/** The closed days of a feed in a month. @param month "2026-11" */
export const keptQuery = (company: string, month: string, endpoint: string) =>
  queryOptions({
    queryKey: ["promises-kept", company, month, endpoint],
    queryFn: async ({ signal }) =>
      (await get(companyPath(company, "promises/kept", { month, endpoint }), isKept, signal)).value,
    refetchInterval: KEPT_EVERY_MS,
  });

/** A promise to try on past days, from `since` to `until`, inclusive. */
export type RehearsalRequest = Omit<PromiseRequest, "from"> & { since: string; until: string };

/** How a promise would have been kept. @throws ApiError */
export const rehearsalQuery = (company: string, request: RehearsalRequest) =>
  queryOptions({
    queryKey: ["promise-rehearsal", company, request],
    queryFn: async () =>
      (
        await post(
          companyPath(company, "promises/rehearsal", {}),
          request,
          isRehearsal,
          undefined,
          REHEARSAL_MS,
        )
      ).value,
    placeholderData: keepPreviousData,
    staleTime: EVERY_MS,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** @throws ApiError; 422 after too many */
export function makePromise(
  client: QueryClient,
  company: string,
  request: PromiseRequest,
): Promise<unknown> {
  return promises.changed(client, post(companyPath(company, "promises", {}), request, isRecord));
}

/** Its feeds stay. @throws ApiError; 404 if it was already removed */
export function changePromise(
  client: QueryClient,
  company: string,
  id: string,
  change: Partial<PromiseRequest>,
): Promise<unknown> {
  return promises.changed(client, patch(pathOf(company, id), change, isRecord));
}

/** @throws ApiError; 404 if it was already removed */
export function removePromise(client: QueryClient, company: string, id: string): Promise<unknown> {
  return promises.changed(client, remove(pathOf(company, id), isNothing));
}

/** Adds and changes promises, or says what would be, with a dry run. @throws ApiError */
export function importPromises(
  client: QueryClient,
  company: string,
  request: { csv: string; dry_run: boolean },
): Promise<PromiseImported> {
  const path = companyPath(company, "promises/import", {});
  return promises.changed(client, post(path, request, isImported, undefined, REHEARSAL_MS));
}

/** The address of the CSV download. */
export const promisesCsvPath = (company: string) =>
  `/api${companyPath(company, "promises/csv", {})}`;

const pathOf = (company: string, id: string) =>
  companyPath(company, `promises/${encodeURIComponent(id)}`, {});

function isPromises(body: unknown): body is { data: PromiseView[] } {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isKept(body: unknown): body is KeptView {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isKeptPerPromise(body: unknown): body is KeptPerPromiseView {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isRehearsal(body: unknown): body is RehearsalView {
  return isRecord(body) && Array.isArray(body["endpoints"]);
}

function isImported(body: unknown): body is PromiseImported {
  return isRecord(body) && Array.isArray(body["errors"]);
}
