import { deleteFiles } from "@/lib/server/operations/delete-files";
import { listDeletions } from "@/lib/server/operations/list-deletions";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, person }) =>
  Response.json(await listDeletions(runtime, { company, person })),
);
export const POST = route(
  { right: "delete-files", mutation: true },
  ({ runtime, company, person, request, body }) =>
    deleteFiles(runtime, { company, person, key: request.headers.get("idempotency-key"), body }),
);
export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET", "POST");
