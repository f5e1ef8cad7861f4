import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { pageAddress } from "@/lib/server/http/own-path";

/**
 * What every page gets before it is rendered: a nonce for its scripts, its own address, and the headers that keep it from
 * being framed; what every answer carries, the server in front of Next sets. Rights are not checked here: every page and
 * every handler does that for itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString("base64");
  const { pathname, searchParams } = request.nextUrl;
  const isPasswordLink = pathname.startsWith("/signin/password/");
  const isWall = WALL.test(pathname);
  const policy = contentSecurityPolicy({
    nonce,
    isDevelopment: process.env.NODE_ENV === "development",
    frameAncestors: isWall ? `'self' ${process.env["WALL_FRAME_ORIGINS"] ?? ""}`.trim() : "'none'",
  });

  const inbound = new Headers(request.headers);
  // Next stamps scripts with the nonce it finds in these: a client's own must never be among them.
  inbound.delete("content-security-policy-report-only");
  inbound.set("content-security-policy", policy);
  inbound.set("x-nonce", nonce);
  inbound.set("x-plumbline-path", pageAddress(pathname, searchParams));

  const response = NextResponse.next({ request: { headers: inbound } });
  response.headers.set("Content-Security-Policy", policy);
  // The address holds what only its reader may know.
  if (isPasswordLink) response.headers.set("Referrer-Policy", "no-referrer");
  // It knows no list of origins; `frame-ancestors` says all that is needed.
  if (!isWall) response.headers.set("X-Frame-Options", "DENY");
  return response;
}

/**
 * The only pages that may be framed: by themselves, which is how a wall exchanges its picture for that of a
 * new build, and by the origins of `WALL_FRAME_ORIGINS`, which the runtime has checked and parsed.
 */
const WALL = /^\/(?:wall|wall\/plain|[a-z0-9-]{1,40}\/wall)$/;

/** Handlers set their own headers, and files are the same for everybody. */
export const config = {
  matcher: ["/((?!api/|metrics$|pair/step$|signin/password$|s/|_next/).*)"],
};

/**
 * Scripts run only with the nonce, and those they load. Styles come from our files: pages hold no
 * style elements. Style attributes are allowed: they place marks and bars by number.
 */
function contentSecurityPolicy({
  nonce,
  isDevelopment,
  frameAncestors,
}: {
  nonce: string;
  isDevelopment: boolean;
  frameAncestors: string;
}): string {
  return [
    "default-src 'self'",
    // React's refresh evaluates code, in development only.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    // Next's own panel writes styles, in development only.
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
  ].join("; ");
}
