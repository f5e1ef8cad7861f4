import { ApiError, fetchResponse } from "@/lib/client/api";
import { isRecord } from "@/lib/client/snapshot";
import type { CheckRequest, CheckStep } from "@/lib/contracts/connections";
import { CHECK_STEPS } from "@/lib/domain/check-steps";

/**
 * Checks a company's API step by step; saves nothing.
 * @param onStep called with each step as soon as it is done
 * @param signal stops waiting for further steps
 * @throws ApiError; status 0 if there was no response, or it broke off
 */
export async function checkSteps(
  request: CheckRequest,
  onStep: (step: CheckStep) => void,
  signal: AbortSignal,
): Promise<void> {
  const headers = { "Content-Type": "application/json", Accept: "application/x-ndjson" };
  try {
    const body = JSON.stringify(request);
    const response = await fetchResponse(
      "/connections/check",
      { method: "POST", headers, body },
      signal,
    );
    let last: CheckStep | null = null;
    for await (const line of linesOf(response)) {
      const step: unknown = JSON.parse(line);
      if (!isStep(step)) throw new ApiError(0, "a step in a shape we do not know");
      last = step;
      onStep(step);
    }
    if (last?.step !== CHECK_STEPS.at(-1)) throw new ApiError(0, "the check broke off");
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, "the check did not answer");
  }
}

/** The lines of a response as they arrive, without empty ones. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    yield* lines.filter((line) => line !== "");
    if (done) return;
  }
}

function isStep(value: unknown): value is CheckStep {
  return (
    isRecord(value) &&
    CHECK_STEPS.some((step) => step === value["step"]) &&
    typeof value["text"] === "string" &&
    isRecord(value["detail"])
  );
}
