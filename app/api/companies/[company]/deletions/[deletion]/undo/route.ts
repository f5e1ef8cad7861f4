import { at } from "@/lib/server/next-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = at(
  "/api/companies/[company]/deletions/[deletion]/undo",
);
