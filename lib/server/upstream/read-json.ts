import { read } from "@/lib/contracts/v3";
import { JsonRefused, parseBoundedJson, type JsonBounds } from "@/lib/server/bounded-json";
import type { HttpAnswer } from "./http";
import { UpstreamFailure } from "./upstream";

/** A page of a hundred rows with two hundred values each; a normal one has fifteen. */
export const PAGE_BOUNDS: JsonBounds = { bytes: 4 * 1024 * 1024, depth: 32, parts: 20_000 };
/** All other responses: a file, a token, the result of a deletion. */
export const ITEM_BOUNDS: JsonBounds = { bytes: 64 * 1024, depth: 32, parts: 1_000 };
/** For logs, which include up to three hundred characters of it. */
const ERROR_BOUNDS: JsonBounds = { bytes: 16 * 1024, depth: 8, parts: 100 };

/**
 * Parses a response's JSON.
 * @throws UpstreamFailure `invalid_response`, without quoting the body, which contains company data
 */
export function readJson({ status, body }: HttpAnswer, bounds: JsonBounds): unknown {
  try {
    return parseBoundedJson(body, bounds);
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error;
    throw new UpstreamFailure("invalid_response", `the body ${error.message}`, {
      httpStatus: status,
    });
  }
}

/** The two members of an error body; empty without them. Only shown in logs, redacted. */
export function readError(body: Buffer): { error: string; description: string } {
  try {
    const { error, error_description: description } = read.Error.parse(
      parseBoundedJson(body, ERROR_BOUNDS),
    );
    return { error, description: description ?? "" };
  } catch {
    return { error: "", description: "" };
  }
}
