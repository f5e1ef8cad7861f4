"use client";

import { usePathname } from "next/navigation";
import { Suspense, useState, useSyncExternalStore, type MouseEvent, type ReactNode } from "react";
import { later, whenCome } from "@/components/ui/later";
import { intoView } from "@/components/ui/into-view";
import { Link } from "@/components/ui/link";
import { MenuButton } from "@/components/ui/menu-button";
import type { MenuItem } from "@/components/ui/menu-item";
import {
  chooseTheme,
  clockOf,
  onTheme,
  shownTheme,
  themeOf,
  type Theme,
} from "@/lib/client/preferences";
import { usePartIsMissing } from "@/components/ui/missing-part";
import { useSessionIsOver } from "@/lib/client/session";
import { signOut } from "@/lib/client/sign-out";
import { initials } from "@/lib/domain/text/initials";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";
import { Clock } from "@/components/shell/time/clock";
import { Logo } from "./logo";
import { useSettledPage } from "./use-settled-page";
import { useZoneChoice } from "@/components/shell/time/zone";
import {
  ACTIVITY,
  ALL_COMPANIES,
  API_CALLS,
  CLOCKS,
  HOME,
  INBOX,
  INCIDENTS,
  NAME,
  NOT_SIGNED_OUT,
  OVERVIEW,
  PAGES,
  PART_MISSING,
  REPORT,
  SCHEDULES,
  SIGN_OUT,
  SKIP,
  THEME,
  THEMES,
  UNACKNOWLEDGED,
  ZONE,
  accountLabel,
  companyLabel,
} from "./words";

const SessionBanner = later(() => import("@/components/session/session-banner"));
/** Comes after the page, which goes on without it. */
const BellCount = later(() => import("@/components/inbox/bell-count"), null);
const DeadChannels = later(() => import("@/components/channels/dead-channels"), null);
const loadInbox = () => import("@/components/inbox/inbox-popover");
const InboxPopover = later(loadInbox);

/** Who is signed in, as far as the menu is about them. */
type MenuPerson = {
  name: string;
  email: string;
  /** Those that they may see. */
  settings: readonly SettingsPage[];
};

/**
 * Brand, company, pages, time, person.
 * @param companies those the person may see; `company` is the slug of the present one, null on the list
 * @param theme the one that the server drew the page in
 * @param search the field that leads to it
 */
export function TopBar({
  companies,
  company,
  person,
  theme,
  search,
}: {
  companies: readonly { slug: string; name: string }[];
  company: string | null;
  person: MenuPerson;
  theme: Theme;
  search: ReactNode;
}) {
  const current = companies.find(({ slug }) => slug === company);
  const isSettled = useSettledPage();
  const isOver = useSessionIsOver();
  const may = (page: string) => person.settings.some(({ href }) => href === `/settings/${page}`);
  return (
    <>
      <header className="top-bar">
        <a href="#main" className="skip" onClick={skipToMain}>
          {SKIP}
        </a>
        <Link href="/" aria-label={HOME} className="brand">
          <Logo />
          <b className="max-[1120px]:hidden">{NAME}</b>
        </Link>
        {current === undefined ? null : <CompanySwitch companies={companies} current={current} />}
        <nav className="tabs" aria-label={PAGES}>
          {current === undefined ? (
            <>
              <Tab href="/">{ALL_COMPANIES}</Tab>
              <Tab href="/incidents">{INCIDENTS}</Tab>
            </>
          ) : (
            <>
              <Tab href={`/${current.slug}`}>{OVERVIEW}</Tab>
              <Tab href={`/${current.slug}/incidents`} comesAhead isSettled={isSettled}>
                {INCIDENTS}
              </Tab>
              <Tab href={`/${current.slug}/report`} comesAhead isSettled={isSettled}>
                {REPORT}
              </Tab>
              <Tab href={`/${current.slug}/api-calls`} comesAhead isSettled={isSettled}>
                {API_CALLS}
              </Tab>
              <Tab href={`/${current.slug}/schedules`} comesAhead isSettled={isSettled}>
                {SCHEDULES}
              </Tab>
              <Tab href={`/${current.slug}/activity`} comesAhead isSettled={isSettled}>
                {ACTIVITY}
              </Tab>
            </>
          )}
        </nav>
        <span className="flex-1" />
        {search}
        <Clock />
        <Bell company={current?.slug ?? null} isSettled={isSettled} hasInbox={may("alerts")} />
        <PersonMenu person={person} firstTheme={theme} />
      </header>
      <PartNote />
      {isOver ? (
        <Suspense>
          <SessionBanner />
        </Suspense>
      ) : null}
      {isSettled && may("channels") ? (
        <Suspense>
          <DeadChannels />
        </Suspense>
      ) : null}
    </>
  );
}

/** Says that what somebody asked for could not be had, which may be no more than a moment without a network. */
function PartNote() {
  return usePartIsMissing() ? (
    <p className="banner" role="alert">
      {PART_MISSING}
    </p>
  ) : null;
}

/** The way to one's inbox, with what is unread; or to the incidents that nobody is on, with how many there are. */
function Bell({
  company,
  isSettled,
  hasInbox,
}: {
  company: string | null;
  isSettled: boolean;
  hasInbox: boolean;
}) {
  const [isWanted, setIsWanted] = useState(false);
  const face = (
    <>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" fill="none">
        <path
          d="M8 1.6c-2.7 0-4.4 1.9-4.4 4.5 0 3.4-1.4 4.3-1.4 5.4h11.6c0-1.1-1.4-2-1.4-5.4 0-2.6-1.7-4.5-4.4-4.5ZM6.3 13.6h3.4"
          stroke="currentColor"
          strokeWidth="1.5"
        />
      </svg>
      <span className="sr-only">{hasInbox ? INBOX : UNACKNOWLEDGED}</span>
      {isSettled ? (
        <Suspense>
          <BellCount company={company} hasInbox={hasInbox} />
        </Suspense>
      ) : null}
    </>
  );
  if (!hasInbox) {
    return (
      <Link href="/incidents?show=unacknowledged" className="bell">
        {face}
      </Link>
    );
  }
  const plain = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded="false"
      className="bell"
      onPointerEnter={() => void loadInbox()}
      onFocus={() => void loadInbox()}
      onClick={() => whenCome(loadInbox, () => setIsWanted(true))}
    >
      {face}
    </button>
  );
  return isWanted ? (
    <Suspense fallback={plain}>
      <InboxPopover>{face}</InboxPopover>
    </Suspense>
  ) : (
    plain
  );
}

/** Without writing the place into the address, which people share. */
function skipToMain(event: MouseEvent) {
  const main = document.getElementById("main");
  if (main === null) return;
  event.preventDefault();
  main.focus();
}

/**
 * @param comesAhead the page's code and shell come before anybody asks for it: once somebody is about to, or
 * `isSettled`
 */
function Tab({
  href,
  comesAhead = false,
  isSettled = false,
  children,
}: {
  href: string;
  comesAhead?: boolean;
  isSettled?: boolean;
  children: ReactNode;
}) {
  const path = usePathname();
  const [isWanted, setIsWanted] = useState(false);
  const want = () => setIsWanted(true);
  // One file belongs to the list of files, a partner and its endpoints to the overview.
  const isWithin = path.startsWith(href.lastIndexOf("/") > 0 ? `${href}/` : `${href}/partners/`);
  const isHere = path === href;
  return (
    <Link
      href={href}
      ref={isHere || isWithin ? intoView : undefined}
      comesAhead={comesAhead && (isSettled || isWanted)}
      aria-current={isHere ? "page" : isWithin ? "true" : undefined}
      onPointerEnter={want}
      onFocus={want}
    >
      {children}
    </Link>
  );
}

function CompanySwitch({
  companies,
  current,
}: {
  companies: readonly { slug: string; name: string }[];
  current: { slug: string; name: string };
}) {
  if (companies.length === 1) {
    return <span className="font-medium whitespace-nowrap">{current.name}</span>;
  }
  const items: MenuItem[] = companies.map(({ slug, name }) => ({
    kind: "link",
    key: slug,
    label: name,
    href: `/${slug}`,
    isCurrent: slug === current.slug,
  }));
  items.push({ kind: "link", key: "/", label: ALL_COMPANIES, href: "/" });
  return (
    <MenuButton label={companyLabel(current.name)} items={items} className="company-switch">
      <span className="truncate">{current.name}</span>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" className="shrink-0">
        <path d="M1 2.5 4 5.5 7 2.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
      </svg>
    </MenuButton>
  );
}

function PersonMenu({ person, firstTheme }: { person: MenuPerson; firstTheme: Theme }) {
  const theme = useSyncExternalStore(onTheme, shownTheme, () => firstTheme);
  const { choice, choose } = useZoneChoice();
  const path = usePathname();
  const [hasFailed, setHasFailed] = useState(false);
  const leave = async () => {
    // A full load, so that nothing of this person stays in the tab's memory.
    const next = await signOut();
    if (next === null) setHasFailed(true);
    else window.location.assign(next);
  };
  const items: MenuItem[] = [
    { kind: "note", key: "who", label: person.email },
    {
      kind: "choice",
      key: "theme",
      label: THEME,
      value: theme,
      options: THEMES,
      onChoose: (value) => chooseTheme(themeOf(value)),
    },
    {
      kind: "choice",
      key: "clock",
      label: ZONE,
      value: choice,
      options: CLOCKS,
      onChoose: (value) => choose(clockOf(value)),
    },
    ...person.settings.map(({ href, label }): MenuItem => ({
      kind: "link",
      key: href,
      label,
      href,
      isCurrent: href === path,
    })),
    { kind: "action", key: "sign-out", label: SIGN_OUT, onSelect: () => void leave() },
  ];
  return (
    <>
      {hasFailed ? (
        <span role="alert" className="text-xs text-failing-text">
          {NOT_SIGNED_OUT}
        </span>
      ) : null}
      <MenuButton label={accountLabel(person.name)} items={items} className="person" align="end">
        {initials(person.name || person.email)}
      </MenuButton>
    </>
  );
}
