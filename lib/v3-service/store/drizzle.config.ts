import { defineConfig } from "drizzle-kit";

/** Generates the v3 service's migrations (PostgreSQL schema `v3`), which have a separate journal. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./lib/v3-service/store/schema.ts",
  out: "./lib/v3-service/store/migrations",
  schemaFilter: ["v3"],
  migrations: { schema: "drizzle", table: "v3_migrations" },
});
