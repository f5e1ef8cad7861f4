/**
 * Why a browser hears nothing from Plumbline: it has no network at all, gets no answer, gets errors, or nobody is
 * signed in any more. What Plumbline
 * knows of the source by now is then not known here.
 */
export type Silence = "offline" | "no_answer" | "error" | "signed_out";

/**
 * @param status of the request that failed; 0 when no answer came
 * @param isOnline what the browser says of its own network; true when it cannot tell
 */
export function silenceOf(status: number, isOnline: boolean): Silence {
  if (status === 401) return "signed_out";
  if (status !== 0) return "error";
  return isOnline ? "no_answer" : "offline";
}
