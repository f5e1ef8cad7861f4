import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { MAX_PAGE, MAX_PER_PAGE } from "@/lib/contracts/v3";
import type { HttpAnswer } from "./http";
import { ITEM_BOUNDS, PAGE_BOUNDS, readError, readJson } from "./read-json";
import { UpstreamFailure } from "./upstream";

/** Validates complete responses. Every function throws `UpstreamFailure` `invalid_response`. */

const MAX_LOGGED_ISSUES = 3;
/** More endpoints would neither fit into memory nor be polled in time: 200 pages take over five minutes. */
export const MAX_ROWS = 20_000;

const ERROR_CODE = /^[\w.-]+$/;

/** Whether an error is the API's own, which has a machine-readable code; frameworks say "Not Found" there. */
export const hasErrorCode = ({ body }: Pick<HttpAnswer, "body">): boolean =>
  ERROR_CODE.test(readError(body).error);

/**
 * The file doesn't exist, or isn't accessible to this company. Only the API knows that: a proxy's 404 without the API's
 * error body says nothing about the file.
 */
export const isGone = (answer: HttpAnswer) =>
  (answer.status === 404 || answer.status === 410) && hasErrorCode(answer);

/** Validates the whole response; an invalid one is never used in part. */
export function parse<T extends z.ZodType>(schema: T, answer: HttpAnswer): z.infer<T> {
  refuseUnexpected(answer);
  return checked(schema, answer, readJson(answer, ITEM_BOUNDS));
}

/** Same, for a page of a list; rejects more rows than requested before validating them. */
export function parsePage<T extends z.ZodType>(
  schema: T,
  answer: HttpAnswer,
  perPage: number,
): z.infer<T> {
  refuseUnexpected(answer);
  const json = readJson(answer, PAGE_BOUNDS);
  const { data } = Object(json) as { data?: unknown };
  if (Array.isArray(data) && data.length > perPage) {
    throw invalid(answer, `${data.length} rows where ${perPage} were requested`);
  }
  return checked(schema, answer, json);
}

function refuseUnexpected(answer: HttpAnswer): void {
  if (answer.status >= 300) throw invalid(answer, `status ${answer.status} was not expected`);
}

function checked<T extends z.ZodType>(schema: T, answer: HttpAnswer, json: unknown): z.infer<T> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, MAX_LOGGED_ISSUES);
  throw invalid(
    answer,
    issues.map(({ path, message }) => `${path.map(String).join(".")}: ${message}`).join("; "),
  );
}

/** An empty page with a non-zero total is an error, never "all rows are gone". */
export function refuseEmptyPage({
  data,
  meta,
}: {
  data: readonly unknown[];
  meta: { page: number; per_page: number; total_count: number };
}): void {
  if (data.length === 0 && (meta.page - 1) * meta.per_page < meta.total_count) {
    throw new UpstreamFailure(
      "invalid_response",
      `page ${meta.page} holds no row of ${meta.total_count}`,
      { httpStatus: 200 },
    );
  }
}

/** Why a company's rows can't all be read, for logs; null: they can. @param meta of their first page */
export function excessOf(meta: { total_count: number; total_pages: number }): string | null {
  const { total_count: rows, total_pages: pages } = meta;
  if (rows > MAX_ROWS) return `${rows} rows are more than ${MAX_ROWS}`;
  const isPlausible = pages <= Math.min(MAX_PAGE, Math.max(1, rows));
  return isPlausible ? null : `${pages} pages for ${rows} rows`;
}

export function invalid({ status }: HttpAnswer, message: string): UpstreamFailure {
  return new UpstreamFailure("invalid_response", message, { httpStatus: status });
}

/** Pages of a list of the longest length that is read. */
const MAX_PAGES = MAX_ROWS / MAX_PER_PAGE;

/**
 * Keeps the last content of each page of a list, because most pages are the same at each check.
 * @returns a function that reads a page, unless its bytes are those of the last time: then it returns the same object
 */
export function createKeptPages<List extends object>() {
  const kept = new LRUCache<number, { digest: string; list: List }>({ max: MAX_PAGES });
  return (page: number, { status, body }: HttpAnswer, read: () => List): List => {
    if (status !== 200) return read();
    const digest = createHash("sha256").update(body).digest("base64");
    const before = kept.get(page);
    if (before?.digest === digest) return before.list;
    const list = read();
    kept.set(page, { digest, list });
    return list;
  };
}
