import { Button } from "@/components/ui/button";

/** What leads through the pages of a list. */
export type PagerWords = {
  /** Its name for who doesn't see it. */
  label: string;
  back: string;
  on: string;
  /** @param total how many there are on all pages */
  place: (page: number, pages: number, total: number) => string;
};

/** Buttons from page to page, and which one this is. From beyond the last page the way back is to the last. */
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
