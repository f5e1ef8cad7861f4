import { BlockList, isIP } from "node:net";
import type { Environment } from "@/lib/server/environment";

/** Proxies for requests to v3 APIs, from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
export type Proxies = {
  /** For `http:` URLs; null: none. */
  http: Proxy | null;
  /** For `https:` URLs; null: none. */
  https: Proxy | null;
  /** Whether a host bypasses them. `hostname` and `port` as in a `URL`. */
  isExcepted: (url: Pick<URL, "hostname" | "port" | "protocol">) => boolean;
};

export type Proxy = {
  /** Scheme, host and port; without credentials, so it can be displayed. */
  origin: string;
  /** Secret: value of the `Proxy-Authorization` header; null: none. */
  authorization: string | null;
};

export const NO_PROXIES: Proxies = { http: null, https: null, isExcepted: () => true };

const PROXY_RULE = "must be an http or https address without a path, such as http://proxy:3128";

/** Reads the variables; lower-case names take precedence. */
export function readProxies({ given, problems }: Environment): Proxies {
  const proxy = (name: string): Proxy | null => {
    const used = given(name.toLowerCase()) === undefined ? name : name.toLowerCase();
    const text = given(used);
    if (text === undefined) return null;
    const parsed = parseProxy(text);
    if (parsed === null) problems.push(`${used}: ${PROXY_RULE}`);
    return parsed;
  };
  const exceptions = given("no_proxy") ?? given("NO_PROXY") ?? "";
  return {
    http: proxy("HTTP_PROXY"),
    https: proxy("HTTPS_PROXY"),
    isExcepted: exceptionsOf(exceptions),
  };
}

function parseProxy(text: string): Proxy | null {
  const address = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const { protocol, origin, pathname, search, hash, username, password } = url;
  if (!["http:", "https:"].includes(protocol) || `${pathname}${search}${hash}` !== "/") return null;
  if (username === "" && password === "") return { origin, authorization: null };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { origin, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  } catch {
    return null;
  }
}

/** The proxy for requests to `url`; null: none. Loopback addresses never use one. */
export function proxyFor(url: URL, proxies: Proxies): Proxy | null {
  const proxy = url.protocol === "https:" ? proxies.https : proxies.http;
  return proxy === null || isLoopback(url.hostname) || proxies.isExcepted(url) ? null : proxy;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  const name = nameOf(hostname);
  return name === "localhost" || name.endsWith(".localhost") || contains(LOOPBACK, name);
}

/**
 * Parses `NO_PROXY`: `*`; a name and its subdomains, with or without a leading dot or `*.`; an address; a
 * network such as `10.0.0.0/8`. All except `*` may have a port. Anything else matches nothing.
 */
function exceptionsOf(text: string): Proxies["isExcepted"] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.includes("*")) return () => true;
  const tests = entries.map(exceptionOf);
  return ({ hostname, port, protocol }) => {
    const portGiven = port === "" ? (protocol === "https:" ? "443" : "80") : port;
    const name = nameOf(hostname);
    return tests.some((test) => test(name, portGiven));
  };
}

function exceptionOf(entry: string): (name: string, port: string) => boolean {
  const bare = entry.replace(/^\[(.*)\]$/, "$1");
  const [, host = bare, port = null] =
    isIP(bare) === 6 ? [] : (/^\[?(.*?)\]?:(\d+)$/.exec(entry) ?? []);
  const isPort = (requestedPort: string) => port === null || Number(port) === Number(requestedPort);
  const addresses = addressesOf(host);
  if (addresses !== null)
    return (name, requestedPort) => isPort(requestedPort) && contains(addresses, name);
  const suffix = nameOf(host.replace(/^\*?\./, ""));
  return (name, requestedPort) =>
    suffix !== "" && isPort(requestedPort) && (name === suffix || name.endsWith(`.${suffix}`));
}

/** Parses an address or a network; null: neither. */
function addressesOf(text: string): BlockList | null {
  const [address = "", prefix] = text.split("/");
  const version = isIP(address);
  if (version === 0) return null;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  if (prefix === undefined) {
    list.addAddress(address, family);
    return list;
  }
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  // An invalid prefix length makes it a name, which no host has.
  if (!(bits <= (version === 4 ? 32 : 128))) return null;
  list.addSubnet(address, bits, family);
  return list;
}

function contains(list: BlockList, name: string): boolean {
  const version = isIP(name);
  return version !== 0 && list.check(name, version === 4 ? "ipv4" : "ipv6");
}

/** Lower case, without IPv6 brackets and the trailing dot. */
function nameOf(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}
