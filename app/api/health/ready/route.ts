import { getReadiness } from "@/lib/server/operations/get-health";
import { getRuntime } from "@/lib/server/runtime";

export const dynamic = "force-dynamic";

export const GET = (): Promise<Response> => getReadiness(getRuntime());
