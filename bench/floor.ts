import { startMeasured, type MeasuredServer } from "./measured-server";

/** Where it answers with what `putReady` gave it, at an address with a variable part. */
export const READY_PATH = "/api/ready/company";

/**
 * The bare Next app in `bench/floor`: the same Next, React and kinds of addresses, and nothing of ours.
 * What it is sent carries the same headers as what is sent to us.
 */
export async function startFloor(): Promise<MeasuredServer> {
  return startMeasured("bench/floor/server.mjs");
}

/** Bare `node:http` in a process of its own: it answers every address with what `putBare` gave it. */
export async function startBare(): Promise<MeasuredServer> {
  return startMeasured("bench/floor/bare.mjs");
}

/** The ETag that bare `node:http` answers 304 to. */
export const BARE_ETAG = '"ready"';

/** @param answer a body as it travels, with its encoding */
export async function putBare(
  bare: MeasuredServer,
  { body, encoding }: { body: Uint8Array<ArrayBuffer>; encoding: string },
) {
  const headers = { "x-encoding": encoding };
  await fetch(`${bare.address}/`, { method: "PUT", body, headers });
}

/** Makes `body` what the floor has ready, and what its `/rows` draws. */
export async function putReady(floor: MeasuredServer, body: Uint8Array<ArrayBuffer>) {
  await fetch(`${floor.address}${READY_PATH}`, { method: "PUT", body });
}
