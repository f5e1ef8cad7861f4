import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { pageAddress } from "@/lib/server/http/own-path";

/**
 * Prepares every page before it is rendered: a nonce for its scripts, its own address, and the headers that prevent
 * framing. Headers common to all responses are set by `server.mjs`. Permissions aren't checked here: every page and
 * handler checks its own.
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
  // Next takes the nonce of its scripts from these headers, so a client must not be able to set them.
  inbound.delete("content-security-policy-report-only");
  inbound.set("content-security-policy", policy);
  inbound.set("x-nonce", nonce);
  inbound.set("x-plumbline-path", pageAddress(pathname, searchParams));

  const response = NextResponse.next({ request: { headers: inbound } });
  response.headers.set("Content-Security-Policy", policy);
  // The address contains a secret.
  if (isPasswordLink) response.headers.set("Referrer-Policy", "no-referrer");
  // It can't list origins; a wall has `frame-ancestors` only.
  if (!isWall) response.headers.set("X-Frame-Options", "DENY");
  return response;
}

/**
 * The only pages that may be framed: by themselves, which is how a wall switches to a new build, and by the origins in
 * `WALL_FRAME_ORIGINS`, which the runtime has validated.
 */
const WALL = /^\/(?:wall|wall\/plain|[a-z0-9-]{1,40}\/wall)$/;

/** Handlers set their own headers, and files are the same for everyone. */
export const config = {
  matcher: ["/((?!api/|metrics$|pair/step$|signin/password$|s/|_next/).*)"],
};

/**
 * Only scripts with the nonce run, and those that they load. Styles come from our files, because pages have no style
 * elements; style attributes are allowed, because marks and bars are positioned by them.
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
