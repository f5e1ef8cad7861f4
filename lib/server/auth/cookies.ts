/**
 * A cookie of ours. Over https it is `__Host-` and Secure, so that no other host of the domain and no
 * plain connection can plant or read one; over http a browser would refuse both.
 * @param maxAge seconds; without it the cookie goes with the browser
 */
function ownCookie(appUrl: string, name: string, maxAge?: number) {
  const secure = appUrl.startsWith("https:");
  return {
    name: secure ? `__Host-${name}` : name,
    options: {
      httpOnly: true,
      sameSite: "lax" as const,
      path: "/",
      secure,
      ...(maxAge !== undefined && { maxAge }),
    },
  };
}

type OwnCookie = ReturnType<typeof ownCookie>;

/**
 * The cookie of a session as our own handlers give it and take it. A browser keeps it for as long as the session lasts.
 * @param lastsSeconds what is left of the session
 */
export function sessionCookie(appUrl: string, lastsSeconds = 0): SettableCookie {
  return settable(appUrl, SESSION_COOKIE, lastsSeconds);
}

/**
 * What a browser that is signed out has to drop: what it keeps of our pages and answers. Not its cookies, which other
 * applications of the same domain may have too: ours is taken by name.
 */
export const CLEAR_SITE_DATA = { "clear-site-data": '"cache", "storage"' } as const;

/** From our page to the provider's and back. */
export const ON_THE_WAY_SECONDS = 15 * 60;

const SESSION_COOKIE = "next-auth.session-token";

/** next-auth's cookies. @param sessionSeconds how long a new session lasts */
export function authCookies(appUrl: string, sessionSeconds?: number) {
  return {
    sessionToken: ownCookie(appUrl, SESSION_COOKIE, sessionSeconds),
    callbackUrl: ownCookie(appUrl, "next-auth.callback-url"),
    csrfToken: ownCookie(appUrl, "next-auth.csrf-token"),
    pkceCodeVerifier: ownCookie(appUrl, "next-auth.pkce.code_verifier", ON_THE_WAY_SECONDS),
    state: ownCookie(appUrl, "next-auth.state", ON_THE_WAY_SECONDS),
    nonce: ownCookie(appUrl, "next-auth.nonce", ON_THE_WAY_SECONDS),
  };
}

const SEALED = `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString("base64url")}..`;

/**
 * Whether a token says that it is encrypted as next-auth encrypts, by the key itself. What is to decrypt a token goes by
 * what the token says of itself, and another algorithm may take thousands of rounds to come to a key.
 * @param token a compact JWE, or anything
 */
export function isSealed(token: string): boolean {
  return token.startsWith(SEALED);
}

/** A cookie that our own handlers set: its name, and the `Set-Cookie` that gives or takes it. */
export type SettableCookie = {
  name: string;
  set(value: string): string;
  clear(): string;
};

/** As long as browsers keep any cookie; it is given anew every day. */
const DISPLAY_SECONDS = 400 * 24 * 3600;
/** A code's ten minutes, and as many to fetch what it was typed for. */
const PAIRING_SECONDS = 20 * 60;

/**
 * The cookies of screens on walls.
 * @param isFramed pages of other sites may frame the wall. Over https the credential then travels in their
 *   frames too (SameSite=None); not Partitioned, because it is given on `/pair`, which nobody frames, and
 *   a partition of its own would keep it from the frame
 */
export function displayCookies(
  appUrl: string,
  isFramed: boolean,
): { display: SettableCookie; pairing: SettableCookie } {
  const sameSite = isFramed && appUrl.startsWith("https:") ? "None" : "Lax";
  return {
    display: settable(appUrl, "plumbline-display", DISPLAY_SECONDS, sameSite),
    pairing: settable(appUrl, "plumbline-pairing", PAIRING_SECONDS),
  };
}

/** Beyond any absence: a new cookie is given at each sign-in. */
const DEVICE_SECONDS = 180 * 24 * 3600;

/** Tells a browser in which an account was signed in to before from all others; see `KnownDevices`. */
export function deviceCookie(appUrl: string): SettableCookie {
  return settable(appUrl, "plumbline-device", DEVICE_SECONDS);
}

/**
 * Says when somebody left for the provider to prove again who they are, epoch milliseconds. Nobody gains by changing
 * it: what counts then is when the provider says that they did.
 */
export function askedAgainCookie(appUrl: string): SettableCookie {
  return settable(appUrl, "plumbline-asked-again", ON_THE_WAY_SECONDS);
}

function settable(
  appUrl: string,
  name: string,
  maxAge: number,
  sameSite: "Lax" | "None" = "Lax",
): SettableCookie {
  const cookie = ownCookie(appUrl, name);
  return {
    name: cookie.name,
    set: (value) => setCookie(cookie, value, maxAge, sameSite),
    clear: () => setCookie(cookie, "", 0, sameSite),
  };
}

/** @returns the `Set-Cookie` that removes one of `authCookies` */
export function clearAuthCookie(cookie: OwnCookie): string {
  return setCookie(cookie, "", 0, "Lax");
}

function setCookie(
  { name, options }: OwnCookie,
  value: string,
  seconds: number,
  sameSite: "Lax" | "None",
): string {
  const secure = options.secure ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** The cookies of a `Cookie` header by name; the first of a name counts, as in browsers' order. */
export function parseCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !cookies.has(name)) cookies.set(name, decoded(pair.slice(at + 1).trim()));
  }
  return cookies;
}

function decoded(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
