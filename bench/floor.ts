import { startMeasured, type MeasuredServer } from "./measured-server";

/** Returns the body set by `putReady`, at an address with a dynamic segment. */
export const READY_PATH = "/api/ready/company";

/**
 * The bare Next app in `bench/floor`: the same Next, React and kinds of addresses, and nothing of ours. Requests to it
 * have the same headers as requests to Plumbline.
 */
export async function startFloor(): Promise<MeasuredServer> {
  return startMeasured("bench/floor/server.mjs");
}

/** Bare `node:http` in a separate process: returns the body set by `putBare` at every address. */
export async function startBare(): Promise<MeasuredServer> {
  return startMeasured("bench/floor/bare.mjs");
}

/** The ETag for which bare `node:http` returns 304. */
export const BARE_ETAG = '"ready"';

/** @param answer an encoded body */
export async function putBare(
  bare: MeasuredServer,
  { body, encoding }: { body: Uint8Array<ArrayBuffer>; encoding: string },
) {
  const headers = { "x-encoding": encoding };
  await fetch(`${bare.address}/`, { method: "PUT", body, headers });
}

/** Sets the floor's prepared body, which `/rows` also draws. */
export async function putReady(floor: MeasuredServer, body: Uint8Array<ArrayBuffer>) {
  await fetch(`${floor.address}${READY_PATH}`, { method: "PUT", body });
}
