import { route } from "@/lib/server/gate/route";
import { deleteFiles } from "@/lib/server/operations/deletions/delete-files";
import { listDeletions } from "@/lib/server/operations/deletions/list-deletions";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, person }) =>
  listDeletions(runtime, { company, person }),
);

export const POST = route(
  { right: "delete-files", mutation: true },
  ({ runtime, company, person, requireRecentSignIn, request, body }) =>
    deleteFiles(runtime, {
      company,
      person,
      requireRecentSignIn,
      key: request.headers.get("idempotency-key"),
      body,
    }),
);
