"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { NothingMatches } from "@/components/ui/empty";
import { useInteracting } from "@/components/list/use-interacting";
import { useLiveCompany } from "@/components/shell/live-company";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useTabTitle } from "@/components/shell/use-tab-title";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import {
  fileFacetsQuery,
  fileSelectionQuery,
  filesCsvPath,
} from "@/lib/client/queries/schedule-files";
import { useAddress } from "@/lib/client/address/use-address";
import type {
  FileFacets,
  ScheduleFileRow,
  ScheduleFilesView,
} from "@/lib/contracts/schedule-files";
import {
  filesCount,
  filesHeading,
  indexProgress,
  NO_DELETE_SCOPE,
} from "@/lib/domain/words/file-words";
import {
  DELETE_FILE,
  DELETE_FILES,
  isKeptDeletion,
  isWrittenDeletions,
  readDeletions,
  type KeptDeletion,
  type KeptDeletions,
} from "@/components/deletions/kept-deletion";
import { useOpenDeletion } from "@/components/deletions/use-open-deletion";
import { FilesHead } from "./files-head";
import { isNothingToList, NothingToList } from "./nothing-to-list";
import { listState } from "./index-trouble";
import { FilesTable } from "./files-table";
import { FilesToolbar } from "./files-toolbar";
import { filesParams, filtersOf, listQueryOf, NO_FILTERS, type FilesState } from "./files-url";
import {
  NOTHING_SELECTED,
  countOf,
  latestOf,
  type Selection,
} from "@/components/deletions/selection";
import { SelectionBar } from "./selection-bar";
import { ShareFiles } from "./share-files";
import { useListKeys } from "./use-list-keys";
import { ViewSwitch } from "./view-switch";
import { useFileList } from "./use-file-list";
import {
  FILES,
  SEARCH_FAILED,
  chatFilters,
  fileKeys,
  filesSentence,
  filterWords,
  noListSentence,
  noMatches,
  selected,
} from "./words";
import { useDeletionsPaused } from "@/components/deletions/use-deletions-paused";
import { usePendingFiles } from "@/components/deletions/use-pending-files";
import { useDebouncedValue } from "@/components/list/use-debounced-value";

const loadDeleteDialog = () => import("@/components/deletions/delete-dialog");
const loadBulkDialog = () => import("@/components/deletions/bulk-dialog");
const DeleteDialog = lazyPart(loadDeleteDialog);
const BulkDialog = lazyPart(loadBulkDialog);
const KeysDialog = lazyPart(() => import("@/components/list/keys-dialog"));

/** Debounces keystrokes. */
const TYPING_MS = 200;

/**
 * A company's schedule files: search, view, select and delete.
 * @param first server data for `first.query`; null: none yet
 * @param mayDelete the person's permission; the connection's is in the responses
 */
export function FilesView({
  first,
  mayDelete,
  onView,
}: {
  first: { query: string; view: ScheduleFilesView } | null;
  mayDelete: boolean;
  onView: (view: "projects" | "files") => void;
}) {
  const { slug, name } = useLiveCompany();
  const [state, setState] = useAddress(filesParams);
  const { isInteracting, handlers } = useInteracting();
  const query = listQueryOf({ ...state, q: useDebouncedValue(state.q, TYPING_MS) });
  const { shown, error, isBehind } = useFileList(query, first, isInteracting);
  const { data: facets } = useFacets(slug, shown?.view.index.known);

  const filters = filtersOf(state);
  const { selection, setSelection, pinning, selectAll, clear } = useSelection(slug, filters);
  const { askFor, ...asking } = useAsking();
  // Named in the address, because without filters an address shows the projects.
  const change = useCallback(
    (changes: Partial<FilesState>) => setState({ ...changes, view: "files" }),
    [setState],
  );

  const pending = usePendingFiles(mayDelete);
  const isPaused = useDeletionsPaused(mayDelete);
  const searchRef = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  useListKeys(searchRef, showKeys);
  const view = shown?.view ?? null;
  const heading = view === null ? FILES : filesHeading(listState(view.index));
  useTabTitle(`${heading}: ${name}`);

  const instead = insteadOfList(view, error, name);
  if (view === null || instead !== null) return instead;
  const { index, scopes } = view;
  const rowCount = rowCountOf(view, shown?.query ?? "");
  const { sentence, ...missed } = noMatches(state.q.trim(), index.known, index.complete);
  const canDelete = mayDelete && scopes.delete === true;
  const chooseVersions = (kept: string | null) => {
    const except_newest = kept === null ? null : Number(kept);
    change({ except_newest });
    if (except_newest !== null && canDelete) void selectAll(filtersOf({ ...state, except_newest }));
  };
  return (
    <div className={countOf(selection) > 0 ? "pb-20" : ""}>
      <FilesHead
        index={index}
        facets={facets}
        csvPath={index.complete ? filesCsvPath(slug, listQueryOf(state)) : null}
        share={
          shown?.query !== listQueryOf(state) ? null : (
            <ShareFiles
              filters={chatFilters(state, facets)}
              index={index}
              says={filesSentence(
                heading,
                filters === "" ? null : rowCount,
                indexProgress(listState(index)),
              )}
            />
          )
        }
      />
      <FilesToolbar
        state={state}
        facets={facets}
        note={filters !== "" ? filterWords.shown(rowCount, index.known) : ""}
        onChange={change}
        onVersions={chooseVersions}
        searchRef={searchRef}
        onHelp={showKeys}
      >
        <ViewSwitch
          view="files"
          projects={facets?.projects.filter(({ project }) => project !== null).length ?? null}
          files={filesCount(index)}
          onChange={onView}
        />
      </FilesToolbar>
      {mayDelete && scopes.delete === false ? (
        <p className="pb-2 text-xs text-ink-2">{NO_DELETE_SCOPE}</p>
      ) : null}
      {pinning.problem !== "" && countOf(selection) === 0 ? (
        <p role="status" className="mb-2 border-l-2 border-ink pl-3 text-xs">
          {pinning.problem}
        </p>
      ) : null}
      {isBehind && error !== null ? (
        <p role="status" className="mb-2 border-l-2 border-ink pl-3 text-xs">
          {SEARCH_FAILED}
        </p>
      ) : null}
      {rowCount === 0 ? (
        <NothingMatches {...missed} onShowAll={() => change(NO_FILTERS)}>
          {sentence}
        </NothingMatches>
      ) : (
        <div {...handlers}>
          <FilesTable
            query={shown?.query ?? ""}
            rowCount={rowCount}
            order={state.sort}
            canDelete={canDelete}
            pending={pending}
            integrationNames={integrationNames(facets)}
            selection={selection}
            onOrder={(sort) => change({ sort })}
            onSelection={setSelection}
            onDelete={askFor}
          />
        </div>
      )}
      {canDelete && countOf(selection) > 0 ? (
        <SelectionBar
          selection={selection}
          latestOf={latestOf(selection, facets)}
          matching={rowCount}
          isPaused={isPaused}
          isPinning={pinning.isOn || isBehind}
          problem={pinning.problem}
          onAll={() => void selectAll(filters)}
          onClear={clear}
          onDelete={() => askFor(onlyFile(selection) ?? "bulk")}
        />
      ) : null}
      <Suspense>
        {showsKeys ? (
          <KeysDialog keys={fileKeys(canDelete)} onClose={() => setShowsKeys(false)} />
        ) : null}
        <DeletionDialogs
          {...asking}
          selection={selection}
          baselinesOfProject={(file) => baselinesKnown(facets, file)}
          onDone={clear}
        />
      </Suspense>
    </div>
  );
}

/** The selected files; none after `filters` change. `selectAll` takes the filters that it is for. */
function useSelection(company: string, filters: string) {
  const client = useQueryClient();
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const [pinning, setPinning] = useState({ isOn: false, problem: "" });
  const [chosenFor, setChosenFor] = useState(filters);
  // A selection from another list could be deleted without being seen.
  if (chosenFor !== filters) {
    setChosenFor(filters);
    setSelection(NOTHING_SELECTED);
  }
  const clear = () => {
    setSelection(NOTHING_SELECTED);
    setPinning({ isOn: false, problem: "" });
  };
  const latestFilters = useRef(filters);
  useEffect(() => {
    latestFilters.current = filters;
  }, [filters]);
  const selectAll = async (wanted: string) => {
    setPinning({ isOn: true, problem: "" });
    try {
      const pinned = await client.fetchQuery(fileSelectionQuery(company, wanted));
      // Nothing is selected of a list that isn't shown any more.
      if (latestFilters.current === wanted && pinned.count > 0)
        setSelection({ kind: "matching", filters: wanted, pinned });
      setPinning({ isOn: false, problem: "" });
    } catch {
      setPinning({ isOn: false, problem: selected.notSelected });
    }
  };
  return { selection, setSelection, pinning, selectAll, clear };
}

/** What the dialogs ask to delete, also after reauthentication elsewhere. */
function useAsking() {
  const [asking, setAsking] = useState<"bulk" | ScheduleFileRow | null>(null);
  const [resumed, setResumed] = useState<KeptDeletion | KeptDeletions | null>(null);
  useResumableDialog(DELETE_FILE, isKeptDeletion, (kept) => {
    setResumed(kept);
    setAsking(kept.file);
  });
  useResumableDialog(DELETE_FILES, isWrittenDeletions, (written) => {
    setResumed(readDeletions(written));
    setAsking("bulk");
  });
  const askFor = useCallback((what: "bulk" | ScheduleFileRow) => {
    if (what !== "bulk") void loadDeleteDialog();
    setAsking(what);
  }, []);
  const stopAsking = () => {
    setAsking(null);
    setResumed(null);
  };
  return { asking, askFor, resumed, stopAsking };
}

/** @param onDone the selection has been deleted, or a single deletion was left */
function DeletionDialogs({
  asking,
  resumed,
  stopAsking,
  selection,
  baselinesOfProject,
  onDone,
}: Omit<ReturnType<typeof useAsking>, "askFor"> & {
  selection: Selection;
  baselinesOfProject: (file: ScheduleFileRow) => number | null;
  onDone: () => void;
}) {
  const [, setOpenDeletion] = useOpenDeletion();
  if (asking === null) return null;
  if (asking === "bulk") {
    return (
      <BulkDialog
        selection={selection}
        resumed={resumed !== null && "selection" in resumed ? resumed : null}
        baselinesOfProject={baselinesOfProject}
        onStarted={({ id }) => {
          stopAsking();
          onDone();
          setOpenDeletion(id);
        }}
        onClose={stopAsking}
      />
    );
  }
  return (
    <DeleteDialog
      file={asking}
      knownBaselines={baselinesOfProject(asking)}
      kept={resumed !== null && "file" in resumed ? resumed : null}
      onClose={() => {
        stopAsking();
        onDone();
      }}
    />
  );
}

/** What the page shows while there is no list; null: there is one. */
function insteadOfList(view: ScheduleFilesView | null, error: Error | null, company: string) {
  if (view === null) {
    return (
      <>
        <FilesHead index={null} facets={undefined} />
        {error === null ? null : (
          <p role="status" className="border-l-2 border-ink pl-3 text-ink-2">
            {noListSentence(statusOf(error))}
          </p>
        )}
      </>
    );
  }
  if (isNothingToList(view)) return <NothingToList view={view} company={company} />;
  const { index } = view;
  if (index.known === 0 && view.data.length === 0)
    return <FilesHead index={index} facets={undefined} />;
  return null;
}

/**
 * Number of rows of a list. In the API's own order, pages that aren't indexed yet are read from the
 * API, so every file that it counts has a row; in any other order only indexed files do.
 */
function rowCountOf({ index, meta }: ScheduleFilesView, query: string): number {
  const hasFilters = query !== "" && !/^sort=[^&]*$/.test(query);
  if (hasFilters || (query === "" && !index.complete)) return meta.total_count;
  return index.known;
}

/** Reloaded when the number of indexed files changes. */
function useFacets(company: string, known: number | undefined) {
  const query = useQuery({ ...fileFacetsQuery(company), enabled: known !== undefined });
  const { refetch } = query;
  const last = useRef(known);
  useEffect(() => {
    const before = last.current;
    last.current = known;
    if (before !== undefined && before !== known) void refetch();
  }, [known, refetch]);
  return query;
}

/** By `partner_token_id`. */
function integrationNames(facets: FileFacets | undefined): ReadonlyMap<number, string> {
  return new Map(
    facets?.integrations.flatMap(({ partner_token_id: id, name }) =>
      id === null || name === null ? [] : [[id, name]],
    ),
  );
}

function baselinesKnown(facets: FileFacets | undefined, file: ScheduleFileRow): number | null {
  const own = file.customer_project;
  if (own === null) return null;
  const isOwn = ({ project }: FileFacets["projects"][number]) =>
    project?.id === own.id && project.source === own.source;
  return facets?.projects.find(isOwn)?.baselines ?? null;
}

function onlyFile(selection: Selection): ScheduleFileRow | null {
  if (selection.kind === "matching" || selection.files.size !== 1) return null;
  const [file] = selection.files.values();
  return file ?? null;
}
