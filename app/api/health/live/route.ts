import { getLiveness } from "@/lib/server/operations/get-health";

export const dynamic = "force-dynamic";

export const GET = (): Response => getLiveness();
