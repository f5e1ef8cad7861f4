"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import type { ReactNode, RefObject } from "react";
import { MenuButton } from "@/components/ui/menu-button";
import type { MenuItem } from "@/components/ui/menu-item";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import type { FileFacets } from "@/lib/contracts/schedule-files";
import { integrationText, NOT_LINKED_SENTENCE } from "@/lib/domain/words/file-words";
import { NEWEST_KEPT, NONE, type FilesState } from "./files-url";
import { filterWords } from "./words";

/** The API's own types; others are offered when a file has them. */
const TYPES = ["xer", "xml", "ppx", "mpp"] as const;
const BASELINES = [
  { value: "", label: filterWords.anyBaseline },
  { value: "true", label: filterWords.baselines },
  { value: "false", label: filterWords.notBaselines },
] as const;
/** A longer menu is useless; the search finds projects too. */
const MAX_CHOICES = 200;

type Change = (change: Partial<FilesState>) => void;

/** File filters. */
export function FilesToolbar({
  state,
  facets,
  note,
  onChange,
  onVersions,
  searchRef,
  onHelp,
  children,
}: {
  state: FilesState;
  facets: FileFacets | undefined;
  /** The number of matches; empty without filters. */
  note: string;
  onChange: Change;
  /** @param kept how many of the newest files of each project to leave out; null: none */
  onVersions: (kept: string | null) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  /** Opens the keyboard shortcuts. */
  onHelp: () => void;
  /** Before the filters. */
  children: ReactNode;
}) {
  const types = [...new Set([...TYPES, ...(facets?.types ?? []).map(({ type }) => type)])];
  const repeated = repeatedNames(facets);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-2 text-xs text-ink-2 max-sm:gap-2">
      {children}
      <SearchField
        maxLength={SEARCH_CHARACTERS}
        ref={searchRef}
        label={filterWords.search}
        hint="/"
        className="w-[220px] max-lg:w-[200px] max-sm:w-full"
        value={state.q}
        onType={(q) => onChange({ q })}
        onKeyDown={(event) => {
          if (event.key === "Escape") onChange({ q: "" });
        }}
      />
      <div className="contents max-sm:-mx-3.5 max-sm:flex max-sm:w-[calc(100%+28px)] max-sm:gap-2 max-sm:overflow-x-auto max-sm:px-3.5 max-sm:[scrollbar-width:none] [&>*]:shrink-0">
        <Segmented
          label={filterWords.type}
          value={state.type ?? ""}
          options={[
            { value: "", label: filterWords.anyType },
            ...types.map((type) => ({ value: type, label: type.toUpperCase() })),
          ]}
          onChange={(type) => onChange({ type: type === "" ? null : type })}
        />
        <Segmented
          label={filterWords.baseline}
          value={state.baseline ?? ""}
          options={BASELINES}
          onChange={(baseline) => onChange({ baseline: baseline === "" ? null : baseline })}
        />
        <ChoiceMenu
          label={filterWords.project}
          all={filterWords.allProjects}
          value={projectValue(state, facets)}
          options={(facets?.projects ?? []).map(({ project, count: files }) => ({
            value: valueOf(project),
            label:
              project === null
                ? filterWords.noProject
                : filterWords.projectOf(project, repeated.has(project.name)),
            files,
          }))}
          onChange={(value) => onChange(value === null ? ANY_PROJECT : filterOf(value))}
        />
        <ChoiceMenu
          label={filterWords.integration}
          all={filterWords.allIntegrations}
          value={state.integration}
          options={(facets?.integrations ?? []).map(
            ({ partner_token_id: id, name, count: files }) => ({
              value: id === null ? NONE : String(id),
              label:
                id === null
                  ? filterWords.notLinked
                  : filterWords.integrationOf(integrationText(id, name)),
              files,
            }),
          )}
          note={NOT_LINKED_SENTENCE}
          onChange={(integration) => onChange({ integration })}
        />
        <ChoiceMenu
          label={filterWords.versions}
          all={filterWords.allVersions}
          value={state.except_newest === null ? null : String(state.except_newest)}
          options={[...new Set([NEWEST_KEPT, state.except_newest ?? NEWEST_KEPT])].map((kept) => ({
            value: String(kept),
            label: filterWords.allButNewest(kept),
            files: null,
          }))}
          onChange={onVersions}
        />
      </div>
      <span className="flex-1 max-md:hidden" />
      <span role="status" className="whitespace-nowrap text-ink-3">
        {note}
      </span>
      <button
        type="button"
        aria-label={filterWords.shortcuts}
        title={filterWords.shortcuts}
        onClick={onHelp}
        className="grid size-7 place-items-center rounded hover:bg-row-hover pointer-coarse:hidden max-md:hidden"
      >
        <kbd aria-hidden="true" className="key">
          ?
        </kbd>
      </button>
    </div>
  );
}

const ANY_PROJECT = { project: null, source: null };

type FacetProject = FileFacets["projects"][number]["project"];

/** Ids of projects are unique in their source only. */
function valueOf(project: FacetProject): string {
  if (project === null) return NONE;
  return project.source === null ? String(project.id) : `${project.id} ${project.source}`;
}

function filterOf(value: string): Pick<FilesState, "project" | "source"> {
  const space = value.indexOf(" ");
  return space < 0
    ? { project: value, source: null }
    : { project: value.slice(0, space), source: value.slice(space + 1) };
}

/** The project that is filtered by, in whatever source if the address names none; null: any. */
function projectValue(
  { project, source }: FilesState,
  facets: FileFacets | undefined,
): string | null {
  if (project === null) return null;
  if (source !== null) return `${project} ${source}`;
  const found = facets?.projects.filter((one) => String(one.project?.id) === project) ?? [];
  return found.length === 1 ? valueOf(found[0]?.project ?? null) : project;
}

/** Names of several projects. */
function repeatedNames(facets: FileFacets | undefined): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { project } of facets?.projects ?? []) {
    if (project === null) continue;
    if (seen.has(project.name)) repeated.add(project.name);
    seen.add(project.name);
  }
  return repeated;
}

/** A filter with all values that the files have; the button shows the active one. */
function ChoiceMenu({
  label,
  all,
  value,
  options,
  note,
  onChange,
}: {
  label: string;
  all: string;
  value: string | null;
  /** `files` null: not counted. */
  options: readonly { value: string; label: string; files: number | null }[];
  /** Explains an option. */
  note?: string;
  onChange: (value: string | null) => void;
}) {
  const chosen = options.find((option) => option.value === value);
  const text = value === null ? all : (chosen?.label ?? `${label} ${value}`);
  const shown = options.slice(0, MAX_CHOICES);
  const items: MenuItem[] = [
    {
      kind: "choice",
      key: label,
      label,
      value: value ?? "",
      options: [
        { value: "", label: all },
        ...shown.map((option) => ({
          value: option.value,
          label:
            option.files === null ? option.label : filterWords.choice(option.label, option.files),
        })),
      ],
      onChoose: (next) => onChange(next === "" ? null : next),
    },
  ];
  if (options.length > shown.length) {
    const more = filterWords.more(options.length - shown.length);
    items.push({ kind: "note", key: "more", label: more });
  }
  if (note !== undefined && options.some(({ value: one }) => one === NONE))
    items.push({ kind: "note", key: "note", label: `${filterWords.notLinked}: ${note}` });
  return (
    <MenuButton
      label={`${label}: ${text}`}
      items={items}
      className="flex h-7 max-w-[220px] items-center rounded border border-control bg-surface px-3 font-medium text-ink hover:bg-row-hover focus-visible:outline-offset-2 max-sm:h-9"
    >
      <span className="truncate">{text}</span>
    </MenuButton>
  );
}
