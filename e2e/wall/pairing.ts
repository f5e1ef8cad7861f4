import type { Browser, BrowserContext } from "@playwright/test";
import type { PairingRequest } from "@/lib/contracts/wall";
import { signInByRequest } from "@/e2e/app";
import { COMPANY, type ProxiedApp } from "./proxied-app";

type World = { browser: Browser; proxied: ProxiedApp; context: BrowserContext };

/**
 * Pairs a screen by its code as an administrator.
 * @param replaces the display to replace; null: a new one
 * @param isWaiting the screen shows `/pair`, which fetches its credential itself
 * @returns the display's id
 */
export async function pairScreen(
  world: World,
  { replaces, isWaiting }: { replaces: string | null; isWaiting: boolean },
): Promise<string> {
  const { request } = world.context;
  const address = `${world.proxied.address}/api/pair`;
  const headers = { origin: world.proxied.address };
  let begun = await (await request.get(address, { headers })).json();
  if (begun.state !== "waiting") {
    begun = await (await request.post(address, { headers, data: {} })).json();
  }
  const wanted: PairingRequest = {
    code: begun.code,
    replaces,
    name: "Room 7",
    place: "",
    companies: [COMPANY],
    layout: "auto",
    theme: "dark",
    time_zone: "Europe/Oslo",
    expires_at: null,
  };
  const { id } = await asAdministrator(world, "/api/displays", wanted);
  if (!isWaiting) await request.get(address, { headers });
  return String(id);
}

export async function revokeScreen(world: World, id: string): Promise<void> {
  await asAdministrator(world, `/api/displays/${id}/revoke`, {});
}

export async function reloadScreen(world: World, id: string): Promise<void> {
  await asAdministrator(world, `/api/displays/${id}/reload`, {});
}

/** Signs in each time, because sessions end in simulated time. */
async function asAdministrator(
  { browser, proxied }: World,
  path: string,
  data: object,
): Promise<Record<string, unknown>> {
  const context = await browser.newContext();
  await signInByRequest(context.request, proxied.app);
  const headers = { origin: proxied.app.address };
  const answer = await context.request.post(`${proxied.app.address}${path}`, { headers, data });
  const body = await answer.text();
  await context.close();
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${body}`);
  return body === "" ? {} : JSON.parse(body);
}
