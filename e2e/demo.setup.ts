import { startApp } from "./app";

/** Starts what `demoApp` gives every file: the demo companies take longer to make than most files take to run. */
export default async function setup(): Promise<() => Promise<void>> {
  // So that each screen of a wall can come from an address of its own: an address gets ten codes a minute.
  const app = await startApp({ TRUST_PROXY: "1" });
  process.env["E2E_DEMO_APP"] = JSON.stringify({ address: app.address, dataDir: app.dataDir });
  return async () => {
    await app.end();
  };
}
