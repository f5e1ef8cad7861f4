import { Link } from "@/components/ui/link";

/** Where a page is: below a page of the menu. @param here the page itself */
export function Crumbs({
  label,
  up,
  here,
}: {
  label: string;
  up: { href: string; label: string };
  here: string;
}) {
  return (
    <nav aria-label={label} className="mb-0.5 text-xs text-ink-2">
      <ol className="flex gap-1.5">
        <li>
          <Link href={up.href} className="hover:text-ink hover:underline">
            {up.label}
          </Link>
        </li>
        <li className="flex gap-1.5">
          <span aria-hidden="true" className="text-ink-3">
            /
          </span>
          <span aria-current="page">{here}</span>
        </li>
      </ol>
    </nav>
  );
}
