import { route } from "@/lib/server/gate/route";
import { invitePerson } from "@/lib/server/operations/people/invite-person";
import { listPeople } from "@/lib/server/operations/people/list-people";

export const GET = route({ right: "manage-people" }, ({ runtime, query }) =>
  listPeople(runtime, { query }),
);

export const POST = route(
  { right: "manage-people", mutation: true, needsRecentSignIn: true, status: 201 },
  ({ runtime, person, address, origin, body }) =>
    invitePerson(runtime, { person, address, origin, body }),
);
