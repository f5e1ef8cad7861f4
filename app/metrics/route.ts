import { getMetrics } from "@/lib/server/operations/get-metrics";
import { getRuntime } from "@/lib/server/runtime";

export const dynamic = "force-dynamic";

export const GET = ({ headers }: Request): Promise<Response> =>
  getMetrics(getRuntime(), {
    address: headers.get("x-plumbline-client-address") ?? "",
    authorization: headers.get("authorization"),
  });
