import { route } from "@/lib/server/gate/route";
import {
  confirmSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
} from "@/lib/server/operations/me/second-factor";

export const POST = route(
  { right: null, mutation: true, needsRecentSignIn: true, status: 201 },
  ({ runtime, person }) => startSecondFactor(runtime, { person }),
);

export const PUT = route(
  { right: null, mutation: true, needsRecentSignIn: true },
  ({ runtime, person, session, address, body }) =>
    confirmSecondFactor(runtime, { person, session, address, body }),
);

export const DELETE = route(
  { right: null, mutation: true, needsRecentSignIn: true },
  ({ runtime, person, session, address, body }) =>
    turnOffSecondFactor(runtime, { person, session, address, body }),
);
