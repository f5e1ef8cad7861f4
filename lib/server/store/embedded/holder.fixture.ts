/**
 * An app reduced to its database: `node holder.fixture.mjs <dataDir> [projectRoot]` starts or joins the
 * embedded PostgreSQL, prints one JSON line, and holds it until "stop" arrives on stdin.
 */
import pino from "pino";
import { startEmbeddedPostgres } from "./start-embedded-postgres";

const [dataDir = "", projectRoot = process.cwd()] = process.argv.slice(2);

startEmbeddedPostgres({
  dataDir,
  projectRoot,
  bin: process.env["POSTGRES_BIN"] ?? null,
  log: pino({ level: "silent" }),
}).then(
  (postgres) => {
    process.stdout.write(`${JSON.stringify({ connectionString: postgres.connectionString })}\n`);
    process.stdin.once("data", () => {
      void postgres.stop().then(() => process.exit(0));
    });
    return null;
  },
  (error: Error) => {
    process.stdout.write(`${JSON.stringify({ failure: error.message })}\n`, () => process.exit(1));
  },
);
