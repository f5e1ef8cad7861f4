/**
 * Name and options of a cookie. Over HTTPS it is `__Host-` and Secure, so that neither other hosts of the domain nor
 * unencrypted connections can set or read it; over HTTP browsers reject both.
 * @param maxAge seconds; omitted for a session cookie of the browser
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
 * The session cookie as our own handlers set and clear it. It expires in the browser together with the session.
 * @param lastsSeconds remaining lifetime of the session
 */
export function sessionCookie(appUrl: string, lastsSeconds = 0): SettableCookie {
  return settable(appUrl, SESSION_COOKIE, lastsSeconds);
}

/**
 * Response header for sign-out: clears cached responses and storage. Not cookies, since those of other applications on
 * the same domain would go too; ours are cleared by name.
 */
export const CLEAR_SITE_DATA = { "clear-site-data": '"cache", "storage"' } as const;

/** Time to sign in at the provider and return. */
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
 * Whether a token's header names the encryption that next-auth uses, `dir` with `A256GCM`. Decryption follows the
 * token's header, and other algorithms may derive their key in thousands of rounds: a denial-of-service risk.
 * @param token a compact JWE, or any other text
 */
export function isSealed(token: string): boolean {
  return token.startsWith(SEALED);
}

/** A cookie that our own handlers set: its name, and the `Set-Cookie` values that set and clear it. */
export type SettableCookie = {
  name: string;
  set(value: string): string;
  clear(): string;
};

/** The longest lifetime browsers allow; the cookie is renewed every day. */
const DISPLAY_SECONDS = 400 * 24 * 3600;
/** The code's ten minutes, and another ten to fetch the credential. */
const PAIRING_SECONDS = 20 * 60;

/**
 * The cookies of displays.
 * @param isFramed whether pages of other sites may frame the wall. Over HTTPS the credential is then also sent from
 *   frames (SameSite=None); not Partitioned, because it is set on `/pair`, which isn't framed, and a partitioned
 *   cookie wouldn't reach the frame
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

/** Longer than any usual absence; the cookie is set again at each sign-in. */
const DEVICE_SECONDS = 180 * 24 * 3600;

/** Marks a browser in which an account has signed in before; see `KnownDevices`. */
export function deviceCookie(appUrl: string): SettableCookie {
  return settable(appUrl, "plumbline-device", DEVICE_SECONDS);
}

/**
 * When a person was sent to the provider to reauthenticate, epoch milliseconds. Changing it gains nothing: the
 * authentication time that the provider reports is what counts afterwards.
 */
export function reauthenticationCookie(appUrl: string): SettableCookie {
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

/** Parses a `Cookie` header. Of cookies with the same name the first counts: browsers send the best match first. */
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
