import { defineConfig } from "drizzle-kit";

/** Generates the dashboard's migrations (PostgreSQL schema `public`); the app itself runs them at start. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./lib/server/store/schema/*.ts",
  out: "./lib/server/store/migrations",
  schemaFilter: ["public"],
});
