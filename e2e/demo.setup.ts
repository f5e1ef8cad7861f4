import { startApp } from "./app";

/** Starts what `demoApp` gives every file: the demo companies take longer to make than most files take to run. */
export default async function setup(): Promise<() => Promise<void>> {
  const app = await startApp();
  process.env["E2E_DEMO_APP"] = JSON.stringify({ address: app.address, dataDir: app.dataDir });
  return async () => {
    await app.end();
  };
}
