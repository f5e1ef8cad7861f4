import { textParam, wordParam } from "@/lib/client/address/address-params";

/** What the page can be narrowed to. */
export const SHOWN = ["behind", "on_time", "unseen"] as const;
export type Shown = (typeof SHOWN)[number];

/** The shareable state of the page, as stored in the address. */
export const partnerParams = {
  show: wordParam(SHOWN),
  /** Past instant, ISO 8601. */
  at: textParam,
};
