"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { Chevron } from "@/components/marks/chevron";
import { useAfterHydration } from "@/components/ui/early/use-after-hydration";
import { intoView } from "@/components/ui/into-view";
import { Link } from "@/components/ui/link";
import { popupButton } from "@/components/ui/popup-button";
import { useIsPartMissing } from "@/components/ui/missing-part";
import { useUnreadAddress } from "@/lib/client/address/use-address";
import { initials } from "@/lib/domain/text/initials";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";
import { Clock } from "@/components/shell/time/clock";
import { Logo } from "@/components/marks/logo";
import {
  ACTIVITY,
  API_CALLS,
  CUSTOMERS,
  HOME,
  INCIDENTS,
  NAME,
  NOT_UPDATING,
  OVERVIEW,
  PAGES,
  PARTNERS,
  PART_MISSING,
  PROMISES,
  REPORT,
  SCHEDULES,
  SKIP,
  TODAY,
  accountLabel,
  companyLabel,
  unreadAddress,
} from "./words";

const CompanyMenu = popupButton("menu", () => import("./company-menu"));
const PersonMenu = popupButton("menu", () => import("./person-menu"));

/** Maximum length of a text from the address. */
const LONGEST_SHOWN = 60;

/** The parts of the signed-in person that the menu needs. */
type MenuPerson = {
  name: string;
  email: string;
  /** Settings pages that they may see. */
  settings: readonly SettingsPage[];
};

/**
 * Logo, company, pages, time, person.
 * @param companies those that the person may see; `company` is the slug of the current one, null on
 *   the list
 * @param search the search field
 * @param live how far the page's data can be trusted; null where the page says so itself
 * @param bell shows what is new for the person
 * @param banners below the bar
 */
export function TopBar({
  companies,
  company,
  person,
  search,
  live,
  bell,
  banners,
}: {
  companies: readonly { slug: string; name: string }[];
  company: string | null;
  person: MenuPerson;
  search: ReactNode;
  live: ReactNode;
  bell: ReactNode;
  banners: ReactNode;
}) {
  const current = companies.find(({ slug }) => slug === company);
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
              <Tab href="/">{TODAY}</Tab>
              <Tab href="/incidents">{INCIDENTS}</Tab>
              <Tab href="/partners" isPrefetched>
                {PARTNERS}
              </Tab>
              <Tab href="/companies">{CUSTOMERS}</Tab>
            </>
          ) : (
            <>
              <Tab href={`/${current.slug}`}>{OVERVIEW}</Tab>
              <Tab href={`/${current.slug}/incidents`} isPrefetched>
                {INCIDENTS}
              </Tab>
              <Tab href={`/${current.slug}/promises`} isPrefetched>
                {PROMISES}
              </Tab>
              <Tab href={`/${current.slug}/report`} isPrefetched>
                {REPORT}
              </Tab>
              <Tab href={`/${current.slug}/api-calls`} isPrefetched>
                {API_CALLS}
              </Tab>
              <Tab href={`/${current.slug}/schedules`} isPrefetched>
                {SCHEDULES}
              </Tab>
              <Tab href={`/${current.slug}/activity`} isPrefetched>
                {ACTIVITY}
              </Tab>
            </>
          )}
        </nav>
        <span className="flex-1" />
        {search}
        {live}
        <Clock />
        {bell}
        <PersonMenu
          label={accountLabel(person.name)}
          className="person"
          email={person.email}
          settings={person.settings}
        >
          {initials(person.name || person.email)}
        </PersonMenu>
      </header>
      <NotUpdating />
      <PartNote />
      <AddressNote />
      {banners}
    </>
  );
}

/** In the page until it is hydrated, and visible if that takes too long: whatever the page says is as of its loading. */
function NotUpdating() {
  const isHydrated = useAfterHydration<boolean>(() => true, false);
  return isHydrated ? null : <p className="banner not-updating">{NOT_UPDATING}</p>;
}

/** Reports that code for an action couldn't be loaded, which may be a brief network failure. */
function PartNote() {
  return useIsPartMissing() ? (
    <p className="banner" role="alert">
      {PART_MISSING}
    </p>
  ) : null;
}

/** Lists invalid parts of the address, whose defaults could be mistaken for what was meant. */
function AddressNote() {
  const unread = useUnreadAddress();
  return unread.length === 0 ? null : (
    <p className="banner" role="status">
      {unreadAddress(unread.map((text) => text.slice(0, LONGEST_SHOWN)))}
    </p>
  );
}

/** Without changing the address, which people share. */
function skipToMain(event: MouseEvent) {
  const main = document.getElementById("main");
  if (main === null) return;
  event.preventDefault();
  main.focus();
}

/** @param isPrefetched loads the page ahead, on pointer or keyboard focus */
function Tab({
  href,
  isPrefetched = false,
  children,
}: {
  href: string;
  isPrefetched?: boolean;
  children: ReactNode;
}) {
  const path = usePathname();
  const [isWanted, setIsWanted] = useState(false);
  const want = () => setIsWanted(true);
  // A file's page belongs to the list of files, a company's partner and endpoint to its overview.
  const isList = href.lastIndexOf("/") > 0 || href === "/partners";
  const isWithin = path.startsWith(isList ? `${href}/` : `${href}/partners/`);
  const current = path === href ? "page" : isWithin ? "true" : undefined;
  const isHere = current !== undefined;
  const link = useRef<HTMLAnchorElement>(null);
  // Not as the link's `ref`: next/link attaches that again when `prefetch` changes.
  useEffect(() => {
    if (isHere) intoView(link.current);
  }, [isHere]);
  return (
    <Link
      href={href}
      ref={link}
      prefetch={isPrefetched && isWanted}
      aria-current={current}
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
    return <span className="company-name">{current.name}</span>;
  }
  return (
    <CompanyMenu
      label={companyLabel(current.name)}
      className="company-switch"
      companies={companies}
      current={current.slug}
    >
      <span className="truncate">{current.name}</span>
      <Chevron className="shrink-0" />
    </CompanyMenu>
  );
}
