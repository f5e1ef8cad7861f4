import { Link } from "@/components/ui/link";
import { CONNECTIONS } from "@/components/settings/connections/words";
import { CRUMBS, NEW } from "./words";

/** Where the page is: below the list of connections. */
export function ConnectCrumbs() {
  return (
    <nav aria-label={CRUMBS} className="mb-0.5 text-xs text-ink-2">
      <ol className="flex gap-1.5">
        <li>
          <Link href="/settings/connections" className="hover:text-ink hover:underline">
            {CONNECTIONS}
          </Link>
        </li>
        <li className="flex gap-1.5">
          <span aria-hidden="true" className="text-ink-3">
            /
          </span>
          <span aria-current="page">{NEW}</span>
        </li>
      </ol>
    </nav>
  );
}
