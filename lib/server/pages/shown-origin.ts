import { headers } from "next/headers";
import { getRuntime } from "@/lib/server/running";
import { reachedOrigin } from "@/lib/server/http/front-headers";
import { originToShow } from "@/lib/server/http/preview/shown-origin";

/** The host of `shownOrigin`, with its port if it isn't the usual one. */
export async function shownHost(): Promise<string> {
  return new URL(await shownOrigin()).host;
}

/** The origin for people to read, type or scan. */
export async function shownOrigin(): Promise<string> {
  return originToShow(getRuntime().appUrl, reachedOrigin(await headers()));
}
