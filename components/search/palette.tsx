"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { Fragment, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { useZoneChoice } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { toClipboard } from "@/components/ui/to-clipboard";
import { clockOf } from "@/lib/client/preferences";
import { chooseTheme, themeOf } from "@/lib/client/theme";
import { fileSearchQuery } from "@/lib/client/queries/file-search";
import { syncStatusQuery } from "@/lib/client/queries/sync-status";
import { shareLink } from "@/lib/client/share-link";
import { useServerClock } from "@/lib/client/use-now";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";
import { fileGroup } from "./file-group";
import { find, type FoundGroup, type SearchCompany, type Target } from "./find";
import {
  COPY_REFUSED,
  DONE,
  HEADINGS,
  doneText,
  fieldWords,
  fileWords,
  moreText,
  noMatch,
  statusText,
  type ActionId,
} from "./words";

type Company = { slug: string; name: string };

/**
 * The search over everything that the person may see. Stores neither queries nor choices. Default
 * export for `lazyPart`.
 * @param takeText returns text typed before its field had the focus, once
 */
export default function Palette({
  companies,
  here,
  settings,
  takeText,
  onClose,
}: {
  companies: readonly Company[];
  here: string | null;
  settings: readonly SettingsPage[];
  takeText: () => string;
  onClose: () => void;
}) {
  const [query, setQuery] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const endpoints = useEndpoints(companies, here, query);
  const settledQuery = useDeferredValue(query);
  const hasMoment = usePathname().includes("/partners/");
  const own = useMemo(
    () => find(endpoints.known, here, settledQuery, { settings, hasMoment }),
    [endpoints.known, here, settledQuery, settings, hasMoment],
  );
  const [done, setDone] = useState("");
  const act = useActions(setDone);
  const files = useFiles(companies, here, query);
  const groups = useMemo(
    () => (files.group === null ? own : [...own, files.group]),
    [own, files.group],
  );
  const waitingFor = [...endpoints.waitingFor, ...files.waitingFor];
  const notAnswered = [...endpoints.notAnswered, ...files.notAnswered];
  const hasFiles = here !== null;
  const label = fieldWords.label(hasFiles);
  const nothing = noMatch(hasFiles);
  const count = groups.reduce((sum, { items, moreCount }) => sum + items.length + moreCount, 0);
  return (
    <Dialog.Root defaultOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <Dialog.Popup
          aria-label={label}
          initialFocus={input}
          className="fixed top-[12vh] left-1/2 z-30 flex max-h-[76vh] w-[600px] max-w-[calc(100vw-28px)] [translate:-50%] flex-col rounded border border-ink bg-surface outline-none max-sm:top-3.5 max-sm:max-h-[calc(100dvh-28px)]"
        >
          <Autocomplete.Root
            inline
            open
            items={groups}
            mode="none"
            filter={null}
            autoHighlight="always"
            keepHighlight
            value={query}
            onValueChange={(next) => {
              setQuery(next);
              setDone("");
            }}
            itemToStringValue={({ name }: Target) => name}
          >
            <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line-strong pr-2 pl-4">
              <Autocomplete.Input
                ref={input}
                onFocus={() => {
                  const typed = takeText();
                  if (typed !== "")
                    setQuery((before) => (before + typed).slice(0, SEARCH_CHARACTERS));
                }}
                aria-label={label}
                placeholder={fieldWords.placeholder(hasFiles)}
                autoComplete="off"
                spellCheck={false}
                maxLength={SEARCH_CHARACTERS}
                className="h-full min-w-0 flex-1 bg-transparent text-md outline-none placeholder:text-ink-3"
              />
              <Dialog.Close className="h-7 rounded border border-line-strong px-2 text-2xs text-ink-3 hover:bg-row-hover focus-visible:outline-offset-0 max-sm:h-9">
                {fieldWords.close}
              </Dialog.Close>
            </div>
            <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain py-1 empty:hidden">
              {(group: FoundGroup) => (
                <Autocomplete.Group key={group.kind} items={group.items} className="pb-1">
                  <Autocomplete.GroupLabel className="flex h-7 items-center justify-between px-4 text-2xs text-ink-3">
                    {HEADINGS[group.kind]}
                    {group.moreCount > 0 && group.kind !== "file" ? (
                      <span>{moreText(group.moreCount)}</span>
                    ) : null}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(target: Target) => (
                      <Option key={target.href} target={target} onChoose={onClose} onAct={act} />
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <Autocomplete.Empty>
              <p className="px-4 py-6 text-ink-2 empty:hidden">
                {waitingFor.length > 0 ? null : (
                  <>
                    {nothing.before}
                    <bdi>{settledQuery.trim()}</bdi>
                    {nothing.after}
                  </>
                )}
              </p>
            </Autocomplete.Empty>
            <Autocomplete.Status className="shrink-0 border-t border-line px-4 py-2 text-2xs text-ink-3">
              {done === "" ? statusText(count, waitingFor, notAnswered) : doneText(done)}
            </Autocomplete.Status>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Runs an action; the search stays open and reports success. */
function useActions(onDone: (text: string) => void) {
  const { choice, choose } = useZoneChoice();
  const clock = useServerClock();
  return async (action: ActionId) => {
    switch (action) {
      case "copy-link":
      case "copy-moment": {
        const atMs = action === "copy-moment" ? clock.nowMs() : null;
        const link = shareLink(window.location.href, { atMs, clock: choice });
        onDone((await toClipboard(link)) ? DONE[action] : COPY_REFUSED);
        return;
      }
      case "theme-light":
      case "theme-dark":
      case "theme-system":
        chooseTheme(themeOf(action.slice("theme-".length)));
        break;
      case "clock-local":
      case "clock-utc":
        choose(clockOf(action.slice("clock-".length)));
    }
    onDone(DONE[action]);
  };
}

function Option({
  target,
  onChoose,
  onAct,
}: {
  target: Target;
  onChoose: () => void;
  onAct: (action: ActionId) => Promise<void>;
}) {
  const { kind, href, name, within, action } = target;
  const leads = action === undefined ? { render: <Link href={href} /> } : {};
  return (
    <Autocomplete.Item
      value={target}
      {...leads}
      onClick={(event) => {
        if (action === undefined) onChoose();
        else {
          // The action's name must not become the query.
          event.preventBaseUIHandler();
          void onAct(action);
        }
      }}
      className="flex min-h-8 items-center gap-3 px-4 outline-none select-none data-highlighted:bg-row-hover data-highlighted:[box-shadow:inset_2px_0_0_var(--ink)] max-sm:min-h-11"
    >
      <bdi
        className={`truncate font-medium ${kind === "endpoint" ? "font-mono text-[12.5px]" : ""}`}
      >
        {name}
      </bdi>
      <span className="ml-auto max-w-[60%] truncate text-xs text-ink-3">
        {within.map((outer, at) => (
          <Fragment key={outer}>
            {at === 0 ? <span className="sr-only">, </span> : " · "}
            <bdi>{outer}</bdi>
          </Fragment>
        ))}
      </span>
    </Autocomplete.Item>
  );
}

/**
 * Delay before other companies are requested, so that going straight to a page requests nothing.
 */
const ASK_AFTER_MS = 200;
/** Names rarely change, so opening the search again within this time requests nothing. */
const NAMES_KEEP_MS = 60_000;

/**
 * The endpoints of all companies: the current one's are loaded already, others' are requested from
 * our server's memory when the person types. Makes no upstream requests.
 */
function useEndpoints(companies: readonly Company[], here: string | null, query: string) {
  const clock = useServerClock();
  const [isWanted, setIsWanted] = useState(false);
  const hasQuery = query.trim() !== "";
  useEffect(() => {
    if (!hasQuery) return;
    const timer = setTimeout(() => setIsWanted(true), ASK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasQuery]);
  const answers = useQueries({
    queries: companies.map(({ slug }) => ({
      ...syncStatusQuery(slug, clock),
      // The page around the search polls its own company; the others are read once.
      ...(slug === here ? { enabled: false } : { enabled: isWanted, staleTime: NAMES_KEEP_MS }),
      refetchInterval: false as const,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    })),
    combine: (results) =>
      results.map(({ data, isError, isLoading }) => ({
        rows: data?.view.rows ?? null,
        isSilent: isError && data === undefined,
        isLoading,
      })),
  });
  return useMemo(() => {
    const named = companies.map((company, at) => ({ ...company, answer: answers[at] }));
    return {
      known: named.map(({ slug, name, answer }): SearchCompany => ({
        slug,
        name,
        rows: answer?.rows ?? null,
      })),
      waitingFor: named.filter(({ answer }) => answer?.isLoading).map(({ name }) => name),
      notAnswered: named.filter(({ answer }) => answer?.isSilent).map(({ name }) => name),
    };
  }, [companies, answers]);
}

/** A single character would match nearly everything. */
const MIN_CHARACTERS = 2;

/** Schedule files of the current company, requested when typing pauses. */
function useFiles(companies: readonly Company[], here: string | null, query: string) {
  const company = companies.find(({ slug }) => slug === here);
  const wanted = query.trim();
  const settled = useDebouncedValue(wanted, ASK_AFTER_MS);
  const isLongEnough = (text: string) => text.length >= MIN_CHARACTERS;
  const isWanted = company !== undefined && isLongEnough(wanted);
  const { data, isError, isFetching } = useQuery({
    ...fileSearchQuery(company?.slug ?? "", settled),
    enabled: isWanted && isLongEnough(settled),
    // Results for fewer letters stay until those for more are loaded.
    placeholderData: keepPreviousData,
  });
  const group = useMemo(
    () =>
      company === undefined || data === undefined
        ? null
        : fileGroup(company, settled, data.data, data.meta.total_count),
    [company, data, settled],
  );
  const name = [fileWords.source];
  return {
    group: isWanted ? group : null,
    waitingFor: isWanted && (isFetching || settled !== wanted) ? name : [],
    notAnswered: isWanted && isError ? name : [],
  };
}
