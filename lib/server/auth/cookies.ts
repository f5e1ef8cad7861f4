/**
 * next-auth's cookies. Over https all of them are `__Host-` and Secure, so that no other host of the
 * domain and no plain connection can plant or read one; over http a browser would refuse both.
 */
export function authCookies(appUrl: string) {
  const secure = appUrl.startsWith("https:");
  const cookie = (name: string, maxAge?: number) => ({
    name: secure ? `__Host-${name}` : name,
    options: {
      httpOnly: true,
      sameSite: "lax" as const,
      path: "/",
      secure,
      ...(maxAge !== undefined && { maxAge }),
    },
  });
  return {
    sessionToken: cookie("next-auth.session-token"),
    callbackUrl: cookie("next-auth.callback-url"),
    csrfToken: cookie("next-auth.csrf-token"),
    pkceCodeVerifier: cookie("next-auth.pkce.code_verifier", 15 * 60),
    state: cookie("next-auth.state", 15 * 60),
    nonce: cookie("next-auth.nonce"),
  };
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
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
