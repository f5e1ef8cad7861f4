import { at } from "@/lib/server/gate/next-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = at("/api/me/alerts/rehearsal");
