/**
 * The origin for people to read, type or scan: `APP_URL`; but where that is a loopback name, as by
 * default, the origin under which the browser reached us: `localhost` on a TV's screen or in a
 * message would be useless.
 * @param reached see `reachedOrigin`
 */
export function originToShow(appUrl: string, reached: string | null): string {
  const { origin, hostname } = new URL(appUrl);
  return isLoopback(hostname) && reached !== null ? reached : origin;
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
