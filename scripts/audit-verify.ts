import { checkAudit } from "@/lib/server/store/audit";
import { withDatabase } from "./with-database";

/**
 * `npm run audit:verify`: whether each company's audit log is what was written, a line for each. Exits 1
 * when one is not, or cannot be read. May run beside the app.
 */
try {
  await withDatabase(async (database) => {
    const checks = await checkAudit(database);
    for (const { company, rows, broken } of checks) {
      const counted = rows === 1 ? "1 row" : `${rows} rows`;
      console.log(`${company}: ${broken ?? `${counted}, whole`}`);
    }
    if (checks.length === 0) console.log("nothing was logged yet");
    if (checks.some(({ broken }) => broken !== null)) process.exitCode = 1;
  });
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
