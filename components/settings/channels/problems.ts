import type { FormProblem } from "@/components/ui/form/field-problem";
import { ApiError, statusOf } from "@/lib/client/api";
import type { ChannelDraft } from "./draft";
import { FIELD_PROBLEM, OUT_OF_REACH, refusal, WITH_CREDENTIALS } from "./words";

/**
 * What is wrong with a field of a channel's form; it isn't empty.
 * @param path in the request
 * @param settings as typed
 */
export function fieldProblem(
  path: readonly PropertyKey[],
  { url: address = "" }: ChannelDraft["settings"],
): string {
  // A list has places.
  const field = path.slice(0, 2).join(".");
  const url = field === "settings.url" && URL.canParse(address) ? new URL(address) : null;
  if (url !== null && (url.username !== "" || url.password !== "")) return WITH_CREDENTIALS;
  return FIELD_PROBLEM.get(field) ?? refusal(400);
}

/** Why a channel whose form was valid wasn't saved, and the field that it is about. */
export function notSaved(error: unknown): FormProblem {
  const [, field] =
    error instanceof ApiError && error.status === 400
      ? (/^([\w.]+) /.exec(error.description ?? "") ?? [])
      : [];
  if (field === undefined || !FIELD_PROBLEM.has(field)) return refusal(statusOf(error));
  // Only the server knows which addresses can be reached.
  return { problem: field === "settings.url" ? OUT_OF_REACH : fieldProblem([field], {}), field };
}
