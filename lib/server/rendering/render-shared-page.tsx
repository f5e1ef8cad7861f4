import { SharedPageDocument } from "@/components/shared-page/shared-page";
import type { SharedPage } from "@/lib/contracts/shared-page";
import { isHandlerResponse, type HandlerResponse } from "@/lib/server/http/handler-response";
import { strictPolicy } from "@/lib/server/http/headers.mjs";

/** Keep a secret address out of referrers, and its page out of caches and indexes. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  // Only our own style and script; the page has no inline ones.
  "content-security-policy": strictPolicy(
    "style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; ",
  ),
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  "x-frame-options": "DENY",
} as const;

/** Draws the page of a share link; 410 for one that has ended. Other responses are returned as they are. */
export async function renderSharedPage(
  made: HandlerResponse | SharedPage,
): Promise<HandlerResponse> {
  if (isHandlerResponse(made)) return made;
  // Next refuses static imports of it outside pages.
  const { renderToStaticMarkup } = await import("react-dom/server");
  const document = renderToStaticMarkup(<SharedPageDocument page={made} />);
  return {
    status: made.kind === "ended" ? 410 : 200,
    headers: HEADERS,
    body: `<!doctype html>${document}`,
  };
}
