import path from "node:path";
import type { Method } from "@/lib/server/http/handlers";
import type { NextHandler, RouteSpec } from "./route";

/** `spec`: of what `route()` made. */
type Methods = Readonly<Partial<Record<Method, NextHandler & { spec?: RouteSpec }>>>;

/** What the file of an address, such as `/api/companies/[company]/care`, exports. */
export async function routesAt(address: string): Promise<Methods> {
  return (await import(path.resolve(`app${address}/route.ts`))) as Methods;
}

/** One method of an address. @throws Error where its file has no such export */
export async function routeAt(address: string, method: Method): Promise<NextHandler> {
  const { [method]: handler } = await routesAt(address);
  if (handler === undefined) throw new Error(`${address} takes no ${method}`);
  return handler;
}
