import { startApp } from "./app";

/** Starts the shared `demoApp`: creating the demo companies takes longer than most files run. */
export default async function setup(): Promise<() => Promise<void>> {
  // Lets each wall screen have its own address: an address gets ten codes a minute.
  const app = await startApp({ TRUST_PROXY: "1" });
  process.env["E2E_DEMO_APP"] = JSON.stringify({ address: app.address, dataDir: app.dataDir });
  return async () => {
    await app.end();
  };
}
