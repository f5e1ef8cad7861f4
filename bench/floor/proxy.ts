import { NextResponse } from "next/server";

/** As in the measured app, pages pass a proxy and handlers don't. This one does nothing. */
export function proxy(): NextResponse {
  return NextResponse.next();
}

export const config = { matcher: ["/((?!api/|_next/).*)"] };
