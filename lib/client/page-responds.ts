const PREFLIGHT_LIMIT_MS = 10_000;

/** Whether an address, or one of ours that it redirects to, currently responds with a page. */
export async function pageResponds(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, {
      cache: "no-store",
      signal: AbortSignal.timeout(PREFLIGHT_LIMIT_MS),
    });
    return response.ok && (response.headers.get("content-type") ?? "").startsWith("text/html");
  } catch {
    return false;
  }
}
