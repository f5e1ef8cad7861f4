"use client";

import { usePathname } from "next/navigation";
import { Link } from "@/components/ui/link";
import { CONNECT } from "./administrator-words";

const CONNECTIONS = "/settings/connections";

/** The way to the page that connects a company; not on the pages of connections, which have it themselves. */
export function ConnectFirst() {
  return usePathname().startsWith(CONNECTIONS) ? null : (
    <Link href={`${CONNECTIONS}/new`} className="button-link is-primary">
      {CONNECT}
    </Link>
  );
}
