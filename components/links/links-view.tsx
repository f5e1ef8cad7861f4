"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { Pager } from "@/components/list/pager";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import { extendLink, linksQuery, revokeLink } from "@/lib/client/queries/links";
import { useAddress } from "@/lib/client/use-address";
import type { LinkEntry } from "@/lib/contracts/links";
import { LinksList } from "./links-list";
import { linksParams } from "./links-url";
import {
  LINKS,
  OPENED_NOTE,
  SEARCH,
  STATE,
  WHOSE,
  headline,
  noLinks,
  noMatches,
  notLoaded,
  note,
  pageWords,
  refusal,
  stateWords,
  subline,
  whoseWords,
} from "./words";
import "@/components/ui/page.css";
import "@/components/ui/settings-list.css";
import "./links.css";

const ChangeDialog = lazyPart(() => import("./change-dialog"));

const PER_PAGE = 50;
const TYPED_MS = 250;

/** Share links, what ends first on top: one's own, to administrators everybody's. */
export function LinksView() {
  const client = useQueryClient();
  const [state, setState] = useAddress(linksParams, "push");
  const q = useDebouncedValue(state.q.trim(), TYPED_MS);
  const selection = { q, whose: state.whose, state: state.state, page: Math.max(1, state.page) };
  const { data, isError } = useQuery(linksQuery(selection, PER_PAGE));
  const [open, setOpen] = useState<{ act: "extend" | "revoke"; link: LinkEntry } | null>(null);
  const isNarrowed = q !== "" || state.whose !== null || state.state !== null;

  const attempt = async (work: Promise<unknown>) => {
    try {
      await work;
      setOpen(null);
      return null;
    } catch (error) {
      return refusal(statusOf(error));
    }
  };

  return (
    <>
      <header className="page-head">
        <div className="min-w-0">
          <h1 className="page-title">{data === undefined ? LINKS : headline(data.counts.open)}</h1>
          <p className="mt-0.5 text-ink-2 empty:hidden">
            {data && subline(data.counts.ending_soon)}
          </p>
        </div>
      </header>
      <div className="settings-tools">
        <SearchField
          maxLength={SEARCH_CHARACTERS}
          label={SEARCH}
          value={state.q}
          onType={(text) => setState({ q: text, page: 1 }, { how: "replace" })}
          className="settings-search"
        />
        {data?.lists_everyones === true ? (
          <Segmented
            label={WHOSE}
            value={state.whose ?? "all"}
            options={(["all", "mine"] as const).map((value) => ({
              value,
              label: whoseWords[value],
            }))}
            onChange={(value) => setState({ whose: value === "all" ? null : value, page: 1 })}
          />
        ) : null}
        <Segmented
          label={STATE}
          value={state.state ?? "all"}
          options={[
            { value: "all", label: stateWords.all },
            { value: "open", label: stateWords.open(data?.counts.open ?? 0) },
            { value: "ended", label: stateWords.ended(data?.counts.ended ?? 0) },
          ]}
          onChange={(value) =>
            setState({ state: value === "open" || value === "ended" ? value : null, page: 1 })
          }
        />
        <p className="links-counting">{OPENED_NOTE}</p>
      </div>
      {data === undefined ? (
        isError ? (
          <Empty title={notLoaded.title}>{notLoaded.sentence}</Empty>
        ) : (
          <div className="min-h-[300px]" aria-busy="true" />
        )
      ) : data.data.length === 0 && !isNarrowed ? (
        <Empty title={noLinks.title}>{noLinks.sentence}</Empty>
      ) : data.data.length === 0 ? (
        <Empty
          title={noMatches.title}
          action={
            <Button onClick={() => setState({ q: "", whose: null, state: null, page: 1 })}>
              {noMatches.show}
            </Button>
          }
        >
          {noMatches.sentence}
        </Empty>
      ) : (
        <LinksList links={data.data} onAct={(act, link) => setOpen({ act, link })} />
      )}
      {data === undefined || data.meta.total_pages <= 1 ? null : (
        <Pager
          words={pageWords}
          page={data.meta.page}
          pages={data.meta.total_pages}
          total={data.meta.total_count}
          onPage={(page) => setState({ page })}
        />
      )}
      <p className="settings-note">{note}</p>
      <Suspense>
        {open === null ? null : (
          <ChangeDialog
            key={open.link.id}
            act={open.act}
            link={open.link}
            onExtend={(days) => attempt(extendLink(client, { ...placeOf(open.link), days }))}
            onRevoke={() => attempt(revokeLink(client, placeOf(open.link)))}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </>
  );
}

const placeOf = ({ id, company }: LinkEntry) => ({ id, company: company.slug });
