import { cache } from "react";
import { requirePerson } from "@/lib/server/pages/current-person";
import { firstPartner } from "@/lib/server/pages/first-partners";
import { currentAddress, pathSegments } from "@/lib/server/pages/page-address";

/**
 * What the page starts with, read once for the page, its frame and its metadata. `read` null: no company that the person may
 * see has the partner.
 */
export const firstRead = cache(async () => {
  const person = await requirePerson();
  const [, segment = ""] = await pathSegments();
  const at = new URLSearchParams((await currentAddress()).split("?")[1]).get("at");
  return { person, at, read: await firstPartner(person, segment, at) };
});
