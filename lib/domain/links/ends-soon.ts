import { HOUR_MS } from "@/lib/domain/time/units";

/** A share link with less time left than this ends soon. */
export const LINK_ENDS_SOON_MS = 48 * HOUR_MS;
