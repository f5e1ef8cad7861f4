import type { ReactNode } from "react";
import { Pager, type PagerWords } from "@/components/list/pager";
import { Empty, Loading, NothingMatches } from "@/components/ui/empty";
import { SearchField } from "@/components/ui/search-field";
import { PageHead } from "@/components/ui/page-head";
import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";

/**
 * A settings page with head, content and note.
 * @param above where the page is; omitted: in the menu
 * @param actions main buttons
 */
export function ResourcePage({
  above,
  title,
  subline,
  actions,
  note,
  children,
}: {
  above?: ReactNode;
  title: ReactNode;
  subline?: ReactNode;
  actions?: ReactNode;
  note?: string;
  children: ReactNode;
}) {
  return (
    <>
      <PageHead
        above={above}
        title={title}
        below={<p className="mt-0.5 text-ink-2 empty:hidden">{subline}</p>}
        actions={actions}
      />
      {children}
      {note === undefined ? null : (
        <p className="mt-[18px] max-w-[520px] border-l-2 border-ink pl-3 text-xs/[18px] text-ink-2">
          {note}
        </p>
      )}
    </>
  );
}

/** Search field and filters above a list. */
export function ResourceTools({
  search,
  text,
  onType,
  children,
}: {
  /** Label of the search field. */
  search: string;
  text: string;
  onType: (text: string) => void;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 py-2 text-xs/[18px]">
      <SearchField
        maxLength={SEARCH_CHARACTERS}
        label={search}
        value={text}
        onType={onType}
        className="w-[250px] max-sm:flex-[1_0_100%]"
      />
      {children}
    </div>
  );
}

type EmptyWords = { title: string; sentence: string };

/**
 * A list, or its loading, error, empty or no-match state.
 * @param data undefined: not loaded yet
 * @param words.none omitted: the list is never empty
 * @param next what to do while it is empty
 * @param words.noMatches omitted: the list has no filters
 */
export function ResourceList<View>({
  data,
  isError,
  amountOf,
  isNarrowed = true,
  words: { notLoaded, none, noMatches },
  next,
  onShowAll,
  children,
}: {
  data: View | undefined;
  isError: boolean;
  amountOf: (data: View) => number;
  isNarrowed?: boolean;
  words: {
    notLoaded?: EmptyWords;
    none?: EmptyWords;
    noMatches?: { sentence: string; show: string };
  };
  next?: ReactNode;
  onShowAll?: () => void;
  children: (data: View) => ReactNode;
}) {
  if (data === undefined) return <Unloaded isError={isError} words={notLoaded} />;
  if (amountOf(data) > 0) return children(data);
  if (noMatches === undefined || (none !== undefined && !isNarrowed)) {
    return none === undefined ? null : (
      <Empty title={none.title} action={next}>
        {none.sentence}
      </Empty>
    );
  }
  return (
    <NothingMatches show={noMatches.show} onShowAll={() => onShowAll?.()}>
      {noMatches.sentence}
    </NothingMatches>
  );
}

/** The loading or error state. */
export function Unloaded({ isError, words }: { isError: boolean; words: EmptyWords | undefined }) {
  if (!isError || words === undefined) return <Loading className="unloaded min-h-[300px]" />;
  return <Empty title={words.title}>{words.sentence}</Empty>;
}

/** Pager of a list; nothing if there is only one page. @param meta undefined: not loaded yet */
export function ResourcePager({
  words,
  meta,
  onPage,
}: {
  words: PagerWords;
  meta: { page: number; total_pages: number; total_count: number } | undefined;
  onPage: (page: number) => void;
}) {
  if (meta === undefined || meta.total_pages <= 1) return null;
  return (
    <Pager
      words={words}
      page={meta.page}
      pages={meta.total_pages}
      total={meta.total_count}
      onPage={onPage}
    />
  );
}
