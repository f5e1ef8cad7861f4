import { cookies } from "next/headers";
import { isWholeCode } from "@/lib/domain/pairing-code";
import { getRuntime } from "@/lib/server/running";

/**
 * The code that this screen brought along in its cookie, for the first paint; null without one. Whether it
 * still lives is for `/pair/step` and for the page's own questions to find out.
 * @returns with `nowMs`: our clock, epoch milliseconds
 */
export async function currentCode(): Promise<{ code: string | null; nowMs: number }> {
  const { auth, clock } = getRuntime();
  const cookie = (await cookies()).get(auth.displays.cookies.pairing.name)?.value ?? "";
  const code = cookie.split(".")[1] ?? "";
  return { code: isWholeCode(code) ? code : null, nowMs: clock.nowMs() };
}
