import { cookies } from "next/headers";
import { isWholeCode } from "@/lib/domain/pairing-code";
import { getRuntime } from "@/lib/server/running";

/**
 * The code in this screen's cookie, for the first paint; null without one. `/pair/step` and the
 * page's polling find out whether it is still valid.
 * @returns with `nowMs`: our clock, epoch milliseconds
 */
export async function currentCode(): Promise<{ code: string | null; nowMs: number }> {
  const { auth, clock } = getRuntime();
  const cookie = (await cookies()).get(auth.displays.cookies.pairing.name)?.value ?? "";
  const code = cookie.split(".")[1] ?? "";
  return { code: isWholeCode(code) ? code : null, nowMs: clock.nowMs() };
}
