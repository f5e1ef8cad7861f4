"use client";

import { usePathname, useRouter } from "next/navigation";
import {
  createContext,
  use,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { ApiError } from "@/lib/client/api";
import { useSyncStatus } from "@/lib/client/queries/sync-status";
import { useNow } from "@/lib/client/use-now";
import { useSilence } from "@/lib/client/use-silence";
import type { Source, SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { confidenceNow, confidenceOnScreen } from "@/lib/domain/confidence";
import type { Confidence } from "@/lib/domain/sync";
import type { Silence } from "@/lib/domain/silence";
import { extremes, type LiveHead } from "./live-head";
import { pageSubject, rowsAbout, type PageSubject } from "./page-subject";

export type LiveCompany = {
  slug: string;
  name: string;
  /** May manage the connections. */
  mayConnect: boolean;
  asOf: string | null;
  source: Source;
  /**
   * Null until the browser has its own copy; the page shows the server's first lines until then.
   */
  view: SyncStatusView | null;
  ledgerRows: readonly SyncStatusRow[];
  /** When our server last responded to this screen, epoch milliseconds on the server's clock. */
  lastResponseMs: number;
  /**
   * Plumbline does not respond to this browser: nothing newer is known, not even about the source.
   */
  isServerSilent: boolean;
  /** Why; null while Plumbline responds. */
  silence: Silence | null;
  /** By the browser's own clock; ages even without responses. */
  confidence: Confidence;
  /** Query of links to its partners and endpoints: empty, or the moment shown ("?at=..."). */
  linked: string;
};

const LiveContext = createContext<LiveCompany | null>(null);

const TellContext = createContext<(ids: ReadonlySet<string> | null) => void>(() => {});

/**
 * Sets the endpoints of a page whose address doesn't name them.
 * @param ids joined by spaces: equal text for equal endpoints
 */
export function usePageIsAbout(ids: string): void {
  const tell = use(TellContext);
  useEffect(() => {
    tell(new Set(ids.split(" ")));
    return () => tell(null);
  }, [tell, ids]);
}

const isSameSubject = (a: PageSubject, b: PageSubject) => JSON.stringify(a) === JSON.stringify(b);

/** The page's company, live. */
export function useLiveCompany(): LiveCompany {
  const live = useContext(LiveContext);
  if (live === null) throw new Error("LiveCompanyProvider is missing above this component");
  return live;
}

/** Shows a company below in a past state. */
export const CompanyThenProvider = LiveContext;

/** Polls a company's snapshot for everything below it. */
export function LiveCompanyProvider({
  slug,
  name,
  mayConnect,
  head,
  children,
}: {
  slug: string;
  name: string;
  mayConnect: boolean;
  head: LiveHead;
  children: ReactNode;
}) {
  const { data: received, isError, error } = useSyncStatus(slug);
  // What was pressed meanwhile goes before the first rows, which take long to render.
  const showsReceived = useDeferredValue(received !== undefined);
  const data = showsReceived ? received : undefined;
  const view = data?.view ?? null;
  const source = view?.source ?? head.source;
  const lastResponseMs = data?.receivedMs ?? head.nowMs;
  const silence = useSilence({ isError, error }, { source, receivedMs: lastResponseMs });
  const isServerSilent = silence !== null;
  const confidence = useNow((nowMs) =>
    confidenceOnScreen(confidenceNow(source, nowMs), isServerSilent),
  );

  // Access to this company may end while the page is open: then the server decides what is shown.
  const router = useRouter();
  const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 403);
  useEffect(() => {
    if (isRefused) router.refresh();
  }, [isRefused, router]);

  const pathname = usePathname();
  const subject = useMemo(() => pageSubject(pathname), [pathname]);
  const [shownIds, setShownIds] = useState<ReadonlySet<string> | null>(null);
  // Once per response: which data is the newest and oldest doesn't change as time passes.
  const ledgerRows = useMemo(
    () =>
      data === undefined
        ? isSameSubject(subject, head.subject)
          ? head.extremes
          : []
        : extremes(
            rowsAbout(data.view.rows, subject, shownIds),
            data.receivedMs + data.view.source.api_clock_offset_ms,
          ),
    [data, head, subject, shownIds],
  );
  const live = useMemo(
    () => ({
      slug,
      name,
      mayConnect,
      asOf: view === null ? head.asOf : view.as_of,
      source,
      view,
      ledgerRows,
      lastResponseMs,
      isServerSilent,
      silence,
      confidence,
      linked: "",
    }),
    [
      slug,
      name,
      mayConnect,
      head,
      view,
      source,
      ledgerRows,
      lastResponseMs,
      isServerSilent,
      silence,
      confidence,
    ],
  );
  return (
    <LiveContext value={live}>
      <TellContext value={setShownIds}>{children}</TellContext>
    </LiveContext>
  );
}
