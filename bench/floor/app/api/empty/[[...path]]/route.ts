export const dynamic = "force-dynamic";

/** The least a handler can do. */
export function GET(): Response {
  return new Response();
}
