import { clientAddress, reachedOrigin } from "@/lib/server/http/front-headers";
import {
  everyMethod,
  METHODS,
  type Handlers,
  type Method,
  type RouteHandler,
} from "@/lib/server/http/handlers";
import { NOT_FOUND_PAGE } from "@/lib/server/http/pages.mjs";
import { signedOut } from "./answers";
import { answerBackchannelLogout } from "./backchannel-logout";
import { answerAuth } from "./next-auth-handler";
import {
  listActivity,
  listActivityCsv,
  listHouseActivity,
  listHouseActivityCsv,
} from "@/lib/server/operations/activity/list-activity";
import {
  changeChannel,
  listChannels,
  makeChannel,
  removeChannel,
  testChannel,
} from "@/lib/server/operations/channels/channels";
import { checkConnection } from "@/lib/server/operations/connections/check-connection";
import { listConnections } from "@/lib/server/operations/connections/list-connections";
import { endQuiet, listExpectations, planQuiet } from "@/lib/server/operations/quiet/expectations";
import { startPairing } from "@/lib/server/operations/displays/start-pairing";
import {
  changeDisplay,
  reloadDisplay,
  revokeDisplay,
} from "@/lib/server/operations/displays/change-display";
import { deleteFiles } from "@/lib/server/operations/deletions/delete-files";
import { stopDeletion, undoDeletion } from "@/lib/server/operations/deletions/end-deletion";
import { getApiCalls, getApiCallsCsv } from "@/lib/server/operations/history/get-api-calls";
import { answerBoardAt } from "@/lib/server/operations/history/get-board-at";
import { getBoardHistory } from "@/lib/server/operations/history/get-board-history";
import { getCompanies } from "@/lib/server/operations/sync/get-companies";
import { getDeletion, getDeletionCsv } from "@/lib/server/operations/deletions/get-deletion";
import { getEndpointHistory } from "@/lib/server/operations/history/get-endpoint-history";
import { getFileFacets } from "@/lib/server/operations/files/get-file-facets";
import { getFileSelection } from "@/lib/server/operations/files/get-file-selection";
import { getLiveness, getReadiness } from "@/lib/server/operations/health/get-health";
import { getMetrics } from "@/lib/server/operations/health/get-metrics";
import {
  acknowledgeIncident,
  noteIncident,
  ownIncident,
  unacknowledgeIncident,
} from "@/lib/server/operations/incidents/act-on-incident";
import { changeCare, getCare } from "@/lib/server/operations/incidents/care";
import { getHandover, handOver } from "@/lib/server/operations/incidents/hand-over";
import { answerAllChanges, answerChanges } from "@/lib/server/operations/incidents/get-changes";
import { getIncident } from "@/lib/server/operations/incidents/get-incident";
import { getLastLook, putLastLook } from "@/lib/server/operations/incidents/last-look";
import { listAllIncidents, listIncidents } from "@/lib/server/operations/incidents/list-incidents";
import { getPairing } from "@/lib/server/operations/displays/get-pairing";
import { getPartnerHistory } from "@/lib/server/operations/history/get-partner-history";
import { getPartnerAt } from "@/lib/server/operations/history/get-partner-at";
import { getReport, getReportCsv } from "@/lib/server/operations/report/get-report";
import { getReportDays } from "@/lib/server/operations/report/get-report-days";
import { getScheduleFile } from "@/lib/server/operations/files/get-schedule-file";
import { getSyncStatus } from "@/lib/server/operations/sync/get-sync-status";
import { getWallIncidents } from "@/lib/server/operations/displays/get-wall-incidents";
import { getWall } from "@/lib/server/operations/displays/get-wall";
import { listDeletions } from "@/lib/server/operations/deletions/list-deletions";
import { extendLink, revokeLink } from "@/lib/server/operations/links/change-link";
import { getPreviewPicture } from "@/lib/server/operations/links/get-preview-picture";
import { countSharedPage, getSharedPage } from "@/lib/server/operations/links/get-shared-page";
import { listAllLinks, listLinks } from "@/lib/server/operations/links/list-links";
import { makeLink } from "@/lib/server/operations/links/make-link";
import { listDisplays } from "@/lib/server/operations/displays/list-displays";
import { listRuns } from "@/lib/server/operations/history/list-runs";
import { listScheduleFiles } from "@/lib/server/operations/files/list-schedule-files";
import { pairDisplay } from "@/lib/server/operations/displays/pair-display";
import { nameFromParam } from "@/lib/server/operations/history/record-names";
import { choosePassword } from "@/lib/server/operations/people/choose-password";
import { changePerson, endSessions } from "@/lib/server/operations/people/change-person";
import { invitePerson, resetPassword } from "@/lib/server/operations/people/invite-person";
import { listDeliveries } from "@/lib/server/operations/delivery/deliveries";
import { getAlerts, putAlerts } from "@/lib/server/operations/me/alerts";
import { getInbox, readUntil } from "@/lib/server/operations/me/inbox";
import { rehearseAlerts } from "@/lib/server/operations/me/rehearse-alerts";
import { rehearseRule } from "@/lib/server/operations/rules/rehearse";
import { changeRule, listRules, makeRule, removeRule } from "@/lib/server/operations/rules/rules";
import { listPeople } from "@/lib/server/operations/people/list-people";
import { originToShow } from "@/lib/server/http/preview/shown-origin";
import { endOtherSessions, endSession } from "@/lib/server/operations/me/end-sessions";
import { getMe } from "@/lib/server/operations/me/get-me";
import { reauthenticate } from "@/lib/server/operations/me/reauthenticate";
import { resume } from "@/lib/server/operations/pauses/resume";
import { stepPairing } from "@/lib/server/operations/displays/step-pairing";
import { takeWallReport } from "@/lib/server/operations/displays/take-wall-report";
import {
  formRoute,
  nothing,
  nothingOnWalls,
  openRoute,
  otherMethods,
  otherOpenMethods,
  otherWallMethods,
  personRoute,
  previewRoute,
  route,
  screenRoute,
  sharePage,
  shareRoute,
  wallRoute,
} from "./route";
import { getRuntime } from "@/lib/server/running";

type Own = Partial<Record<Method, RouteHandler>>;

/**
 * Every API address, with the required permission and the operation that answers it. The server in
 * front of Next uses these directly; the `route.ts` files under `app/` lead to the same functions.
 */
export const ADDRESSES = {
  "/api/companies": ofPeople({
    GET: personRoute({ right: null }, ({ runtime, person, query }) =>
      getCompanies(runtime, { person, query }),
    ),
  }),
  "/api/companies/[company]/sync-status": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, query, request }) =>
      query.has("at")
        ? answerBoardAt(runtime, { company, query })
        : getSyncStatus(runtime, { company, ifNoneMatch: request.headers.get("if-none-match") }),
    ),
  }),
  "/api/companies/[company]/history": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, query, request }) =>
      getBoardHistory(runtime, {
        company,
        query,
        ifNoneMatch: request.headers.get("if-none-match"),
      }),
    ),
  }),
  "/api/companies/[company]/api-calls": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, query }) =>
      Response.json(await getApiCalls(runtime, { company, query })),
    ),
  }),
  "/api/companies/[company]/api-calls/csv": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, query }) =>
      getApiCallsCsv(runtime, { company, query }),
    ),
  }),
  "/api/companies/[company]/report": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, query }) =>
      Response.json(await getReport(runtime, { company, query })),
    ),
  }),
  "/api/companies/[company]/report/csv": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, query }) =>
      getReportCsv(runtime, { company, query }),
    ),
  }),
  "/api/companies/[company]/report/days": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, query }) =>
      Response.json(await getReportDays(runtime, { company, query })),
    ),
  }),
  "/api/companies/[company]/activity": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, query }) =>
      Response.json(await listActivity(runtime, { company, query })),
    ),
  }),
  "/api/companies/[company]/activity/csv": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, query }) =>
      listActivityCsv(runtime, { company, query }),
    ),
  }),
  "/api/companies/[company]/partners/[partner]": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, params, query }) => {
      const partnerName = nameFromParam(params["partner"]);
      return Response.json(await getPartnerHistory(runtime, { company, partnerName, query }));
    }),
  }),
  "/api/companies/[company]/partners/[partner]/at": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, params, query }) => {
      const partnerName = nameFromParam(params["partner"]);
      return Response.json(await getPartnerAt(runtime, { company, partnerName, query }));
    }),
  }),
  "/api/companies/[company]/endpoints/[endpoint]": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, params, query }) => {
      const endpointId = nameFromParam(params["endpoint"]);
      return Response.json(await getEndpointHistory(runtime, { company, endpointId, query }));
    }),
  }),
  "/api/companies/[company]/endpoints/[endpoint]/runs": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, params, query }) => {
      const endpointId = nameFromParam(params["endpoint"]);
      return Response.json(await listRuns(runtime, { company, endpointId, query }));
    }),
  }),
  "/api/companies/[company]/schedule-files": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, query }) =>
      Response.json(await listScheduleFiles(runtime, { company, query })),
    ),
  }),
  "/api/companies/[company]/schedule-files/facets": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company }) =>
      Response.json(await getFileFacets(runtime, { company })),
    ),
  }),
  "/api/companies/[company]/schedule-files/selection": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, query }) =>
      Response.json(await getFileSelection(runtime, { company, query })),
    ),
  }),
  "/api/companies/[company]/schedule-files/[id]": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, params }) =>
      Response.json(await getScheduleFile(runtime, { company, id: params["id"] })),
    ),
  }),
  "/api/companies/[company]/deletions": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, person }) =>
      Response.json(await listDeletions(runtime, { company, person })),
    ),
    POST: route(
      { right: "delete-files", mutation: true },
      ({ runtime, company, person, requireRecentSignIn, request, body }) =>
        deleteFiles(runtime, {
          company,
          person,
          requireRecentSignIn,
          key: request.headers.get("idempotency-key"),
          body,
        }),
    ),
  }),
  "/api/companies/[company]/deletions/[deletion]": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, params }) =>
      getDeletion(runtime, { company, id: params["deletion"] ?? "" }),
    ),
  }),
  "/api/companies/[company]/deletions/[deletion]/csv": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, params }) =>
      getDeletionCsv(runtime, { company, id: params["deletion"] ?? "" }),
    ),
  }),
  "/api/companies/[company]/deletions/[deletion]/stop": ofPeople({
    POST: route({ right: "delete-files", mutation: true }, ({ runtime, company, person, params }) =>
      stopDeletion(runtime, { company, person, id: params["deletion"] ?? "" }),
    ),
  }),
  "/api/companies/[company]/deletions/[deletion]/undo": ofPeople({
    POST: route({ right: "delete-files", mutation: true }, ({ runtime, company, person, params }) =>
      undoDeletion(runtime, { company, person, id: params["deletion"] ?? "" }),
    ),
  }),
  "/api/companies/[company]/care": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, person }) =>
      Response.json(await getCare(runtime, { company, person })),
    ),
    PUT: route(
      { right: "handle-incidents", mutation: true },
      async ({ runtime, company, person, body }) =>
        Response.json(await changeCare(runtime, { company, person, body })),
    ),
  }),
  "/api/companies/[company]/changes": ofPeople({
    GET: route({ right: "view" }, ({ runtime, company, person, query }) =>
      answerChanges(runtime, { company, person, query }),
    ),
  }),
  "/api/companies/[company]/last-look": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, person }) =>
      Response.json(await getLastLook(runtime, { company, person })),
    ),
    PUT: route({ right: "view", mutation: true }, async ({ runtime, company, person }) =>
      Response.json(await putLastLook(runtime, { company, person })),
    ),
  }),
  "/api/companies/[company]/expectations": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, person, query }) =>
      Response.json(await listExpectations(runtime, { company, person, query })),
    ),
    POST: route(
      { right: "handle-incidents", mutation: true },
      async ({ runtime, company, person, body }) =>
        Response.json(await planQuiet(runtime, { company, person, body }), { status: 201 }),
    ),
  }),
  "/api/companies/[company]/expectations/[id]": ofPeople({
    DELETE: route(
      { right: "handle-incidents", mutation: true },
      ({ runtime, company, person, params: { id = "" } }) =>
        endQuiet(runtime, { company, person, id }),
    ),
  }),
  "/api/companies/[company]/incidents": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, person, query }) =>
      Response.json(await listIncidents(runtime, { company, person, query })),
    ),
  }),
  "/api/companies/[company]/incidents/[id]": ofPeople({
    GET: route({ right: "view" }, async ({ runtime, company, person, params: { id } }) =>
      Response.json(await getIncident(runtime, { company, person, id })),
    ),
  }),
  "/api/companies/[company]/incidents/[id]/acknowledgement": ofPeople({
    PUT: route(
      { right: "handle-incidents", mutation: true },
      async ({ runtime, company, person, params: { id }, body }) =>
        Response.json(await acknowledgeIncident(runtime, { company, person, id, body })),
    ),
    DELETE: route(
      { right: "handle-incidents", mutation: true },
      async ({ runtime, company, person, params: { id } }) =>
        Response.json(await unacknowledgeIncident(runtime, { company, person, id })),
    ),
  }),
  "/api/companies/[company]/incidents/[id]/notes": ofPeople({
    POST: route(
      { right: "handle-incidents", mutation: true },
      async ({ runtime, company, person, params: { id }, body }) =>
        Response.json(await noteIncident(runtime, { company, person, id, body }), { status: 201 }),
    ),
  }),
  "/api/companies/[company]/incidents/[id]/owner": ofPeople({
    PUT: route(
      { right: "handle-incidents", mutation: true },
      async ({ runtime, company, person, params: { id }, body }) =>
        Response.json(await ownIncident(runtime, { company, person, id, body })),
    ),
  }),
  "/api/companies/[company]/links": ofPeople({
    GET: route({ right: "share-links" }, async ({ runtime, company, person, query }) =>
      Response.json(await listLinks(runtime, { company, person, query })),
    ),
    POST: route(
      { right: "share-links", mutation: true },
      async ({ runtime, company, person, address, request: { headers }, body }) => {
        const origin = originToShow(runtime.appUrl, reachedOrigin(headers));
        const made = await makeLink(runtime, { company, person, address, origin, body });
        return Response.json(made, { status: 201 });
      },
    ),
  }),
  "/api/companies/[company]/links/[id]": ofPeople({
    PATCH: route(
      { right: "share-links", mutation: true },
      async ({ runtime, company, person, params: { id = "" }, body }) =>
        Response.json(await extendLink(runtime, { company, person, id, body })),
    ),
    DELETE: route(
      { right: "share-links", mutation: true },
      ({ runtime, company, person, address, params: { id = "" } }) =>
        revokeLink(runtime, { company, person, id, address }),
    ),
  }),
  "/api/companies/[...rest]": everyMethod(nothing),

  "/api/changes": ofPeople({
    GET: personRoute({ right: null }, ({ runtime, person, query }) =>
      answerAllChanges(runtime, { person, query }),
    ),
  }),
  "/api/changes/[...rest]": everyMethod(nothing),

  "/api/incidents": ofPeople({
    GET: personRoute({ right: null }, async ({ runtime, person, query }) =>
      Response.json(await listAllIncidents(runtime, { person, query })),
    ),
  }),
  "/api/incidents/[...rest]": everyMethod(nothing),

  "/api/links": ofPeople({
    GET: personRoute({ right: null }, async ({ runtime, person, query }) =>
      Response.json(await listAllLinks(runtime, { person, query })),
    ),
  }),
  "/api/links/[...rest]": everyMethod(nothing),
  "/s/[token]": ofLinks(
    sharePage(({ runtime, identity, request }) => getSharedPage(runtime, identity, request)),
    shareRoute(({ runtime, link, address, request }) =>
      countSharedPage(runtime, link, { address, request }),
    ),
  ),
  "/api/previews/[preview]/[name]": ofAnybody({
    GET: previewRoute(({ runtime, identity, name }) => getPreviewPicture(runtime, identity, name)),
  }),

  "/api/activity": ofPeople({
    GET: personRoute({ right: "manage-people" }, async ({ runtime, query }) =>
      Response.json(await listHouseActivity(runtime, { query })),
    ),
  }),
  "/api/activity/csv": ofPeople({
    GET: personRoute({ right: "manage-people" }, ({ runtime, query }) =>
      listHouseActivityCsv(runtime, { query }),
    ),
  }),
  "/api/activity/[...rest]": everyMethod(nothing),

  "/api/connections": ofPeople({
    GET: personRoute({ right: "manage-connections" }, async ({ runtime }) =>
      Response.json(await listConnections(runtime)),
    ),
  }),
  "/api/connections/[slug]/check": ofPeople({
    POST: personRoute(
      { right: "manage-connections", mutation: true },
      async ({ runtime, params: { slug = "" } }) =>
        Response.json(await checkConnection(runtime, { slug })),
    ),
  }),
  "/api/connections/[...rest]": everyMethod(nothing),

  "/api/displays": ofPeople({
    GET: personRoute({ right: "manage-displays" }, async ({ runtime }) =>
      Response.json(await listDisplays(runtime)),
    ),
    POST: personRoute(
      { right: "manage-displays", mutation: true },
      async ({ runtime, person, address, body }) =>
        Response.json(await pairDisplay(runtime, { person, address, body }), { status: 201 }),
    ),
  }),
  "/api/displays/[id]": ofPeople({
    PATCH: personRoute(
      { right: "manage-displays", mutation: true },
      async ({ runtime, person, params: { id = "" }, body }) =>
        Response.json(await changeDisplay(runtime, { id, person, body })),
    ),
  }),
  "/api/displays/[id]/reload": ofPeople({
    POST: personRoute(
      { right: "manage-displays", mutation: true },
      async ({ runtime, person, params: { id = "" } }) =>
        Response.json(await reloadDisplay(runtime, { id, person })),
    ),
  }),
  "/api/displays/[id]/revoke": ofPeople({
    POST: personRoute(
      { right: "manage-displays", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, address, params: { id = "" } }) =>
        Response.json(await revokeDisplay(runtime, { id, person, address })),
    ),
  }),
  "/api/displays/[...rest]": everyMethod(nothing),

  "/api/me": ofPeople({
    GET: personRoute({ right: null }, async ({ runtime, person, session }) =>
      Response.json(await getMe(runtime, { person, session })),
    ),
  }),
  "/api/me/handover": ofPeople({
    GET: personRoute({ right: null }, async ({ runtime, person }) =>
      Response.json(await getHandover(runtime, { person })),
    ),
    POST: personRoute({ right: null, mutation: true }, async ({ runtime, person, body }) =>
      Response.json(await handOver(runtime, { person, body })),
    ),
  }),
  "/api/me/last-look": ofPeople({
    GET: personRoute({ right: null }, async ({ runtime, person }) =>
      Response.json(await getLastLook(runtime, { company: null, person })),
    ),
    PUT: personRoute({ right: null, mutation: true }, async ({ runtime, person }) =>
      Response.json(await putLastLook(runtime, { company: null, person })),
    ),
  }),
  "/api/me/alerts": ofPeople({
    GET: personRoute({ right: null }, async ({ runtime, person }) =>
      Response.json(await getAlerts(runtime, { person })),
    ),
    PUT: personRoute({ right: null, mutation: true }, async ({ runtime, person, body }) =>
      Response.json(await putAlerts(runtime, { person, body })),
    ),
  }),
  "/api/me/alerts/rehearsal": ofPeople({
    POST: personRoute({ right: null, mutation: true }, async ({ runtime, person, body }) =>
      Response.json({ data: await rehearseAlerts(runtime, { person, body }) }),
    ),
  }),
  "/api/me/inbox": ofPeople({
    GET: personRoute({ right: null }, async ({ runtime, person, query }) =>
      Response.json(await getInbox(runtime, { person, query })),
    ),
  }),
  "/api/me/inbox/read": ofPeople({
    POST: personRoute({ right: null, mutation: true }, async ({ runtime, person, body }) =>
      readUntil(runtime, { person, body }),
    ),
  }),
  "/api/me/sessions": ofPeople({
    DELETE: personRoute(
      { right: null, mutation: true },
      async ({ runtime, person, session, address }) =>
        Response.json(await endOtherSessions(runtime, { person, session, address })),
    ),
  }),
  "/api/me/sessions/[id]": ofPeople({
    DELETE: personRoute(
      { right: null, mutation: true },
      async ({ runtime, person, session, address, params: { id = "" } }) =>
        signedOut(
          Response.json(await endSession(runtime, { person, session, address, id })),
          id.toLowerCase() === session.id,
          runtime.appUrl,
        ),
    ),
  }),
  "/api/me/reauthentication": ofPeople({
    POST: personRoute(
      { right: null, mutation: true },
      async ({ runtime, person, session, address, request: { headers }, body }) => {
        const cookie = headers.get("cookie");
        const given = { person, session, address, cookie, body };
        const { proven, setCookie } = await reauthenticate(runtime, given);
        return Response.json(
          proven,
          setCookie === null ? {} : { headers: { "set-cookie": setCookie } },
        );
      },
    ),
  }),
  "/api/me/[...rest]": everyMethod(nothing),

  "/api/pauses/[what]/resume": ofPeople({
    POST: personRoute(
      // Requests to the upstream are the responsibility of people who manage the connections.
      { right: "manage-connections", mutation: true },
      ({ runtime, person, params: { what = "" } }) => resume(runtime, { what, person }),
    ),
  }),
  "/api/pauses/[...rest]": everyMethod(nothing),

  "/api/channels": ofPeople({
    GET: personRoute({ right: "manage-channels" }, async ({ runtime }) =>
      Response.json(await listChannels(runtime)),
    ),
    POST: personRoute(
      { right: "manage-channels", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, body }) =>
        Response.json(await makeChannel(runtime, { person, body }), { status: 201 }),
    ),
  }),
  "/api/channels/[id]": ofPeople({
    PATCH: personRoute(
      { right: "manage-channels", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, params: { id = "" }, body }) =>
        Response.json(await changeChannel(runtime, { person, id, body })),
    ),
    DELETE: personRoute(
      { right: "manage-channels", mutation: true, needsRecentSignIn: true },
      ({ runtime, person, params: { id = "" } }) => removeChannel(runtime, { person, id }),
    ),
  }),
  "/api/channels/[id]/test": ofPeople({
    POST: personRoute(
      { right: "manage-channels", mutation: true },
      async ({ runtime, person, params: { id = "" } }) =>
        Response.json(await testChannel(runtime, { person, id })),
    ),
  }),
  "/api/channels/[...rest]": everyMethod(nothing),
  "/api/rules": ofPeople({
    GET: personRoute({ right: "manage-rules" }, async ({ runtime }) =>
      Response.json(await listRules(runtime)),
    ),
    POST: personRoute(
      { right: "manage-rules", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, body }) =>
        Response.json({ data: await makeRule(runtime, { person, body }) }, { status: 201 }),
    ),
  }),
  "/api/rules/rehearsal": ofPeople({
    POST: personRoute({ right: "manage-rules", mutation: true }, async ({ runtime, body }) =>
      Response.json({ data: await rehearseRule(runtime, { body }) }),
    ),
  }),
  "/api/rules/[id]": ofPeople({
    PATCH: personRoute(
      { right: "manage-rules", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, params: { id = "" }, body }) =>
        Response.json({ data: await changeRule(runtime, { person, id, body }) }),
    ),
    DELETE: personRoute(
      { right: "manage-rules", mutation: true, needsRecentSignIn: true },
      ({ runtime, person, params: { id = "" } }) => removeRule(runtime, { person, id }),
    ),
  }),
  "/api/rules/[...rest]": everyMethod(nothing),
  "/api/deliveries": ofPeople({
    GET: personRoute({ right: "manage-rules" }, async ({ runtime, query }) =>
      Response.json(await listDeliveries(runtime, { query })),
    ),
  }),
  "/api/deliveries/[...rest]": everyMethod(nothing),
  "/api/people": ofPeople({
    GET: personRoute({ right: "manage-people" }, async ({ runtime, query }) =>
      Response.json(await listPeople(runtime, { query })),
    ),
    POST: personRoute(
      { right: "manage-people", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, address, request: { headers }, body }) => {
        const origin = originToShow(runtime.appUrl, reachedOrigin(headers));
        const invited = await invitePerson(runtime, { person, address, origin, body });
        return Response.json(invited, { status: 201 });
      },
    ),
  }),
  "/api/people/[id]": ofPeople({
    PATCH: personRoute(
      { right: "manage-people", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, address, params: { id = "" }, body }) => {
        const changed = await changePerson(runtime, { id, person, address, body });
        const isOwnEnd = changed.id === person.id && changed.status === "disabled";
        return signedOut(Response.json(changed), isOwnEnd, runtime.appUrl);
      },
    ),
  }),
  "/api/people/[id]/reset": ofPeople({
    POST: personRoute(
      { right: "manage-people", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, address, request: { headers }, params: { id = "" } }) => {
        const origin = originToShow(runtime.appUrl, reachedOrigin(headers));
        return Response.json(await resetPassword(runtime, { id, person, address, origin }));
      },
    ),
  }),
  "/api/people/[id]/sessions": ofPeople({
    DELETE: personRoute(
      { right: "manage-people", mutation: true, needsRecentSignIn: true },
      async ({ runtime, person, session, address, params: { id = "" } }) =>
        signedOut(
          Response.json(await endSessions(runtime, { id, person, session, address })),
          id.toLowerCase() === person.id,
          runtime.appUrl,
        ),
    ),
  }),
  "/api/people/[...rest]": everyMethod(nothing),

  "/api/wall": ofWalls({
    GET: wallRoute(({ runtime, principal }) => getWall(runtime, principal)),
  }),
  "/api/wall/companies/[company]/sync-status": ofWalls({
    GET: wallRoute(({ runtime, company, request }) =>
      getSyncStatus(runtime, { company, ifNoneMatch: request.headers.get("if-none-match") }),
    ),
  }),
  "/api/wall/companies/[company]/incidents": ofWalls({
    GET: wallRoute(async ({ runtime, principal, company }) =>
      Response.json(await getWallIncidents(runtime, principal, company)),
    ),
  }),
  "/api/wall/report": ofWalls({
    POST: screenRoute(({ runtime, display, body, request }) =>
      takeWallReport(runtime, { display, body, headers: request.headers }),
    ),
  }),
  "/api/wall/[...rest]": everyMethod(nothingOnWalls),

  "/api/pair": ofAnybody({
    GET: openRoute({}, ({ runtime, request }) => getPairing(runtime, request)),
    POST: openRoute({ mutation: true }, ({ runtime, request }) =>
      startPairing(runtime, { address: clientAddress(request.headers) }),
    ),
  }),
  "/pair/step": ofAnybody({
    GET: openRoute({}, ({ runtime, request }) => stepPairing(runtime, request)),
  }),
  "/api/auth/backchannel-logout": ofAnybody({
    POST: openRoute({}, ({ runtime, request }) => answerBackchannelLogout(runtime, request)),
  }),
  "/signin/password": ofAnybody({
    POST: formRoute(({ runtime, ...sent }) => choosePassword(runtime, sent)),
  }),
  "/api/auth/[...nextauth]": everyMethod((request, params) =>
    answerAuth(getRuntime(), request, (params["nextauth"] ?? "").split("/")),
  ),

  "/api/health/live": ofAnybody({ GET: async () => getLiveness() }),
  "/api/health/ready": ofAnybody({ GET: async () => getReadiness(getRuntime()) }),
  "/metrics": ofAnybody({
    GET: (request) =>
      getMetrics(getRuntime(), {
        address: clientAddress(request.headers),
        isForwarded: request.headers.get("x-plumbline-forwarded") !== null,
        authorization: request.headers.get("authorization"),
      }),
  }),
} as const satisfies Readonly<Record<string, Handlers>>;

export type AddressName = keyof typeof ADDRESSES;

function ofPeople(own: Own): Handlers {
  return { ...otherMethods(...methodsOf(own)), ...withHead(own) };
}

function ofWalls(own: Own): Handlers {
  return { ...otherWallMethods(...methodsOf(own)), ...withHead(own) };
}

/** For methods other than these two it responds like a missing address. */
function ofLinks(page: RouteHandler, count: RouteHandler): Handlers {
  return { ...everyMethod(() => NOT_FOUND_PAGE), GET: page, HEAD: page, POST: count };
}

function ofAnybody(own: Own): Handlers {
  return { ...otherOpenMethods(...methodsOf(own)), ...withHead(own) };
}

/** Every GET also answers HEAD; the body is dropped when it is sent. */
function withHead(own: Own): Own {
  return own.GET === undefined ? own : { HEAD: own.GET, ...own };
}

function methodsOf(own: Own): Method[] {
  return METHODS.filter((method) => own[method] !== undefined);
}
