/**
 * Why a browser gets no data from Plumbline: it is offline, gets no response, gets errors, or its session has ended. It
 * then doesn't know what Plumbline knows about the source.
 */
export type Silence = "offline" | "no_answer" | "error" | "signed_out";

/**
 * @param status of the failed request; 0 if there was no response
 * @param isOnline the browser's own network state; true if unknown
 */
export function silenceOf(status: number, isOnline: boolean): Silence {
  if (status === 401) return "signed_out";
  if (status !== 0) return "error";
  return isOnline ? "no_answer" : "offline";
}
