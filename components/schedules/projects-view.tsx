"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense, useCallback, useRef, useState, type FocusEvent } from "react";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { useMoveKeys } from "@/components/list/use-move-keys";
import { DataTable } from "@/components/resource/data-table";
import { ResourcePager } from "@/components/resource/resource-page";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useTabTitle } from "@/components/shell/use-tab-title";
import { NothingMatches } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { SearchField } from "@/components/ui/search-field";
import { PageHead } from "@/components/ui/page-head";
import { statusOf } from "@/lib/client/api";
import { scheduleProjectsQuery } from "@/lib/client/queries/schedule-files";
import { useAddress } from "@/lib/client/address/use-address";
import { useNow } from "@/lib/client/use-now";
import type { NamedIntegration } from "@/lib/contracts/schedule-files";
import type { ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import { filesPath } from "@/lib/domain/file-address";
import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { instantMs } from "@/lib/domain/time/instant";
import { filesCount, indexProgress } from "@/lib/domain/words/file-words";
import { projectsParams, projectsQueryOf, type ProjectsState } from "./files-url";
import { IndexTrouble, listState } from "./index-trouble";
import { isNothingToList, NothingToList } from "./nothing-to-list";
import { ShareFiles } from "./share-files";
import { useListKeys } from "./use-list-keys";
import { ViewSwitch } from "./view-switch";
import { FILES, noListSentence } from "./words";
import { projectColumns } from "./project-columns";
import {
  listedSentence,
  noProjectMatches,
  projectFilters,
  projectKeys,
  PROJECTS,
  PROJECTS_OUTDATED,
  projectPages,
  projectsHead,
  overdueText,
  projectsSentence,
  toolWords,
  withoutProject,
} from "./project-words";

const NameDialog = lazyPart(() => import("./name-dialog"));
const KeysDialog = lazyPart(() => import("@/components/list/keys-dialog"));

const TYPING_MS = 200;

/**
 * A company's projects, with the rhythm of their schedule files.
 * @param first server data for `first.query`; null: none yet
 * @param mayName whether the person may name integrations
 */
export function ProjectsView({
  first,
  mayName,
  onView,
}: {
  first: { query: string; view: ScheduleProjectsView } | null;
  mayName: boolean;
  onView: (view: "projects" | "files") => void;
}) {
  const { slug, name } = useLiveCompany();
  const timeZone = useZone();
  const [state, setState] = useAddress(projectsParams);
  const query = projectsQueryOf({ ...state, q: useDebouncedValue(state.q, TYPING_MS) });
  const { data, error, isPlaceholderData } = useQuery({
    ...scheduleProjectsQuery(slug, query),
    ...(first?.query === query ? { initialData: first.view } : {}),
  });
  const [naming, setNaming] = useState<NamedIntegration | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  useListKeys(searchRef, showKeys);
  const projects = (data?.data ?? []).filter(({ project }) => project !== null);
  const keys = useProjectKeys(projects.length);

  const isWhole = data?.index.complete === true;
  const furthestMs = instantMs(data?.furthest_behind?.expected_at ?? null);
  const late = useNow((nowMs) =>
    furthestMs === null ? "" : overdueText(furthestMs, nowMs, timeZone),
  );
  const parts = data === undefined ? [] : projectsSentence(data, isWhole, late);
  const sentence = parts.map(({ text }) => text).join("");
  useTabTitle(`${sentence === "" ? FILES : sentence}: ${name}`);

  const narrow = (changes: Partial<ProjectsState>) =>
    setState({ page: 1, ...changes, view: "projects" });
  if (data === undefined) {
    return (
      <PageHead
        title={FILES}
        below={
          <p role="status" className="min-h-[18px] text-ink-2">
            {error === null ? projectsHead.loading : noListSentence(statusOf(error))}
          </p>
        }
      />
    );
  }
  const { index, counts, meta } = data;
  if (isNothingToList(data)) return <NothingToList view={data} company={name} />;
  const { sentence: sentenceOfNone, ...missed } = noProjectMatches(
    state.q.trim(),
    state.show !== null,
  );
  const progress = indexProgress(listState(index));
  const isNarrowed = state.q.trim() !== "" || state.show !== null;
  const columns = projectColumns({
    slug,
    timeZone,
    isWhole,
    onName: mayName ? setNaming : null,
  });
  return (
    <>
      <PageHead
        title={parts.map(({ text, show }) =>
          show === null ? (
            text
          ) : (
            <button
              key={show}
              type="button"
              aria-pressed={state.show === show}
              className="sentence-part"
              onClick={() => narrow({ show: state.show === show ? null : show })}
            >
              {text}
            </button>
          ),
        )}
        actions={
          query !== projectsQueryOf(state) || isPlaceholderData ? undefined : (
            <ShareFiles
              filters={projectFilters(state)}
              index={index}
              says={listedSentence(data, { isWhole, isNarrowed, whole: sentence })}
            />
          )
        }
        below={
          <>
            <p className="mt-[3px] text-ink-2">
              {projectsHead.summary(counts, isWhole)} {projectsHead.learned}
            </p>
            {progress === "" ? null : (
              <p className="mt-1 text-ink-2">
                {progress}
                {projectsHead.coverage}
              </p>
            )}
            <IndexTrouble index={index} />
          </>
        }
      />
      <div className="flex items-center gap-3 pb-2 text-xs text-ink-2 max-sm:flex-wrap max-sm:gap-2">
        <ViewSwitch
          view="projects"
          projects={counts.projects}
          files={filesCount(index)}
          onChange={onView}
        />
        <SearchField
          ref={searchRef}
          label={toolWords.search}
          hint="/"
          maxLength={SEARCH_CHARACTERS}
          className="w-[220px] max-sm:w-full"
          value={state.q}
          onType={(q) => narrow({ q })}
          onKeyDown={(event) => {
            if (event.key === "Escape") narrow({ q: "" });
          }}
        />
        <span className="flex-1 max-sm:hidden" />
        <span className="max-lg:hidden">{toolWords.scale}</span>
      </div>
      {error === null ? null : (
        <p role="status" className="mb-2 border-l-2 border-ink pl-3 text-xs">
          {PROJECTS_OUTDATED}
        </p>
      )}
      {projects.length > 0 ? (
        <div {...keys}>
          <DataTable
            label={PROJECTS}
            columns={columns}
            rows={projects}
            keyOf={({ project }) => `${project?.id} ${project?.source}`}
            className="projects"
          />
        </div>
      ) : isNarrowed ? (
        <NothingMatches {...missed} onShowAll={() => narrow({ q: "", show: null })}>
          {sentenceOfNone}
        </NothingMatches>
      ) : null}
      <ResourcePager
        words={projectPages}
        meta={meta}
        onPage={(page) => setState({ page, view: "projects" }, { how: "push" })}
      />
      {counts.files_without_project > 0 && !isNarrowed ? (
        <section className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pt-3 pb-2 text-xs text-ink-2">
          <h2 className="text-sm font-strong text-ink">
            {withoutProject.title(counts.files_without_project, isWhole)}
          </h2>
          <span>{withoutProject.sentence}</span>
          <Link href={filesPath(slug, null)} className="underline underline-offset-3">
            {withoutProject.show}
          </Link>
        </section>
      ) : null}
      <Suspense>
        {showsKeys ? <KeysDialog keys={projectKeys} onClose={() => setShowsKeys(false)} /> : null}
        {naming === null ? null : (
          <NameDialog integration={naming} onClose={() => setNaming(null)} />
        )}
      </Suspense>
    </>
  );
}

/** J, K and arrows move between the projects' links. @returns properties of the element that contains them */
function useProjectKeys(amount: number) {
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const moveTo = useCallback(
    (place: number) => {
      const to = Math.min(Math.max(place, 0), amount - 1);
      setActive(to);
      list.current?.querySelectorAll<HTMLElement>("[data-project]")[to]?.focus();
    },
    [amount],
  );
  useMoveKeys(list, Math.min(active, Math.max(0, amount - 1)), amount, moveTo);
  const onFocus = (event: FocusEvent<HTMLDivElement>) => {
    const row = event.target.closest("tr");
    const at = row === null ? -1 : [...(row.parentElement?.children ?? [])].indexOf(row);
    if (at >= 0) setActive(at);
  };
  return { ref: list, onFocus };
}
