import { Button } from "@/components/ui/button";

/** Texts of a pager. */
export type PagerWords = {
  /** Its accessible name. */
  label: string;
  back: string;
  on: string;
  /** @param total number on all pages */
  place: (page: number, pages: number, total: number) => string;
};

/**
 * Buttons to other pages, and the current page number. Beyond the last page, "previous" leads to
 * the last.
 */
export function Pager({
  words,
  page,
  pages,
  total,
  onPage,
}: {
  words: PagerWords;
  page: number;
  pages: number;
  total: number;
  onPage: (page: number) => void;
}) {
  return (
    <nav aria-label={words.label} className="flex items-center gap-3 pt-3 text-xs text-ink-2">
      <Button disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, Math.max(1, pages)))}>
        {words.back}
      </Button>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {words.on}
      </Button>
      <span role="status">{words.place(page, pages, total)}</span>
    </nav>
  );
}
