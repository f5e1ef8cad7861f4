"use client";

import { useQuery } from "@tanstack/react-query";
import { partnersPath } from "@/lib/client/queries/partners/partners-path";
import { partnersQuery } from "@/lib/client/queries/partners/partners-query";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { cutSearch } from "@/lib/domain/text/search-limits";
import { atOthers } from "./words";

/**
 * At how many other customers a partner is, and at how many of all it is behind. Nothing while that isn't known.
 * Default export for `lazyPart`.
 */
export default function AtOtherCustomers({ partner }: { partner: string }) {
  const { data } = useQuery(partnersQuery(partnersPath({ q: cutSearch(partner), page: 1 })));
  const own = data?.data.find((one) => partnerKey(one.partner_name) === partnerKey(partner));
  return own === undefined ? null : ` ${atOthers(own)}`;
}
