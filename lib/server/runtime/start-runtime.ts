import { terminalText } from "@/lib/domain/text/terminal-text.mjs";
import { systemClock, type Clock } from "@/lib/server/clock";
import { ConfigProblems } from "@/lib/server/config/config";
import type { HandlerResponse } from "@/lib/server/http/handler-response";
import { httpRequestOf, type HttpRequest } from "@/lib/server/http/http-request";
import { readManifest } from "@/lib/server/http/routes/route-manifest.mjs";
import { createRoutes, type HotRoutes, type Unrouted } from "@/lib/server/http/routes/routes";
import { reachedOrigin } from "@/lib/server/http/front-headers";
import { everyMethod } from "@/lib/server/http/handlers";
import { cardPage, genericCard } from "@/lib/server/http/preview/preview-card";
import { sendResponse } from "@/lib/server/http/send-response";
import { originToShow } from "@/lib/server/http/preview/shown-origin";
import { getRuntime, setHandle, type Handle, type Runtime } from "@/lib/server/running";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { isDatabaseOutage } from "@/lib/server/outage";
import { tellingFullDisk } from "@/lib/server/store/disk";
import { within } from "@/lib/server/waiting";
import { askV3, tooLargeAnswer } from "@/lib/v3-service/instance";
import { createRateLimiter } from "@/lib/v3-service/rate-limit";
import type { PressSlackButton } from "./background";
import { openRuntime } from "./open-runtime";
import type { PopulateDemo } from "./demo-life";
import { renderInTurn } from "./page-turns";
import { createProcess } from "./process";
import { problemOf } from "./start-problem";

type Gate = {
  hotRoutes: HotRoutes;
  refuseUnauthorized: (
    runtime: Runtime,
    request: HttpRequest,
    params: Readonly<Record<string, string>>,
  ) => MaybePromise<HandlerResponse | null>;
  respondToUnrouted: (
    runtime: Runtime,
    request: HttpRequest,
    unrouted: Unrouted,
  ) => MaybePromise<HandlerResponse>;
  /** What visitors of pages get instead of them; null: the page. */
  visitPage: (
    runtime: Runtime,
    request: HttpRequest,
    pageLimit: ReturnType<typeof createRateLimiter>,
  ) => MaybePromise<HandlerResponse | null>;
  populateDemo: PopulateDemo;
  pressSlackButton: PressSlackButton;
};

/**
 * Page renders for one address without a session: an office that signs in, and its screens that
 * show a code.
 */
const PAGES_A_MINUTE = 120;
const DATABASE_DEADLINE_MS = 1_000;

/** Where server.mjs awaits us. */
const STARTED = Symbol.for("plumbline.started");
const shared = globalThis as { [STARTED]?: (handle: Handle) => void };

/**
 * Starts everything that does not need the port; a failure exits the process with a sentence and
 * status 1. Does nothing in a process that does not serve, such as a build: server.mjs awaits the
 * handle.
 * @param gate the way in of requests and of what people press in Slack, and what a person does in a new demo
 */
export async function startRuntime(gate: Gate): Promise<void> {
  const started = shared[STARTED];
  if (started === undefined) return;
  delete shared[STARTED];
  try {
    const handle = await createHandle(process.env, process.cwd(), systemClock, gate);
    setHandle(handle);
    started(handle);
  } catch (error) {
    const isConfig = error instanceof ConfigProblems;
    complain(isConfig ? problemOf(error) : `Plumbline can't start: ${problemOf(error)}`);
    process.exit(1);
  }
}

async function createHandle(
  env: NodeJS.ProcessEnv,
  cwd: string,
  clock: Clock,
  {
    hotRoutes,
    refuseUnauthorized,
    respondToUnrouted,
    visitPage,
    populateDemo,
    pressSlackButton,
  }: Gate,
): Promise<Handle> {
  const own = await createProcess(env, cwd, clock);
  const { config, log, metrics, securityLog, starting, stopping, begun } = own;
  const manifest = readManifest(cwd, env.NODE_ENV === "development");
  let opening: Promise<void> = Promise.resolve();
  let isDatabaseAwaited = false;
  const pageLimit = createRateLimiter(PAGES_A_MINUTE);

  const handle: Handle = {
    config,
    log,
    current: null,
    routes: createRoutes(
      manifest,
      { ...hotRoutes, "/api/v3/[[...path]]": everyMethod(askV3) },
      {
        refuseUnauthorized: (request, params) => refuseUnauthorized(getRuntime(), request, params),
        respondToUnrouted: (request, unrouted) =>
          respondToUnrouted(getRuntime(), request, unrouted),
      },
    ),
    sendCard(request, response) {
      const reached = reachedOrigin(httpRequestOf(request, response).headers);
      const { appUrl } = handle.current ?? { appUrl: config.appUrl ?? "" };
      const card = cardPage(genericCard(originToShow(appUrl, reached)));
      void sendResponse(request, response, card, []);
    },
    visitPage(request, response, render) {
      const { current } = handle;
      if (current === null) return render();
      const httpRequest = httpRequestOf(request, response);
      const instead = andThen(
        visitPage(current, httpRequest, pageLimit),
        (answer) => answer ?? renderInTurn(current, httpRequest, response, render),
      );
      const sent = andThen(instead, (answer) =>
        answer === null ? undefined : sendResponse(request, response, answer, []),
      );
      if (sent instanceof Promise) sent.catch(() => void response.destroy());
    },
    isReady: () => handle.current !== null,
    async isDatabaseAway() {
      const database = handle.current?.database;
      if (database === undefined || own.outages.isRecent()) return true;
      try {
        await within(clock, DATABASE_DEADLINE_MS, database.pool.query("select"), () => {
          throw new Error("the database took more than a second to answer");
        });
        return false;
      } catch {
        return true;
      }
    },
    problemOf,
    complain,
    startingSentence: () =>
      isDatabaseAwaited ? "Plumbline is waiting for its database." : "Plumbline is starting.",
    observeHttp: (...request) => metrics.observeHttp(...request),
    recordEvent: (...event) => securityLog.record(...event),
    tooLarge: (path, clientAddress, isCounted) =>
      tooLargeAnswer(path, { clientAddress, isCounted }),
    listening(port) {
      const open = () =>
        openRuntime(own, {
          port,
          onWait: (isWaiting) => (isDatabaseAwaited = isWaiting),
          onReady: (runtime) => (handle.current = runtime),
          populateDemo,
          pressSlackButton,
        });
      opening =
        config.databaseUrl === null
          ? tellingFullDisk(config.dataDir, open, { explains: isDatabaseOutage })
          : open();
      return opening;
    },
    async pause() {
      starting.abort();
      // The reason doesn't matter, because startup was stopped.
      await opening.catch(() => {});
      // The v3 service stays up: a 404 now would tell its clients that their files are gone.
      const others = Promise.all(begun.others.map((one) => one.stop()));
      // A DELETE in progress is worth waiting for: its deadline is 8 s.
      await begun.deletions?.stop();
      stopping.abort();
      await others;
    },
    async stop() {
      securityLog.flush();
      await own.passwordMeter.stop();
      await own.journal.stop();
      await begun.store?.stop();
    },
  };
  return handle;
}

function complain(text: string): void {
  process.stderr.write(`${text.split("\n").map(terminalText).join("\n")}\n`);
}
