import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { SharedLink, ShareIdentity } from "@/lib/server/auth/share-links";
import { isFailure } from "@/lib/contracts/failure";
import type { Answer } from "@/lib/server/http/answer";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { clientAddress } from "@/lib/server/http/front-headers";
import { tooManyPage, UNREACHABLE_PAGE } from "@/lib/server/http/pages.mjs";
import type { RouteHandler } from "@/lib/server/http/handlers";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { isDatabaseOutage } from "@/lib/server/outage";
import { inTurn } from "./in-turn";
import { answering, nothingHere, readMutation, refuseUnconfirmed } from "./checked-route";
import { databaseAway } from "./answers";

export type ShareContext<R> = { runtime: R; identity: ShareIdentity; request: HttpRequest };
export type LinkContext<R> = {
  runtime: R;
  link: SharedLink;
  /** The client's true address. */
  address: string;
  request: HttpRequest;
};
/** `name`: the last path segment, which names the moment. */
export type PreviewContext<R> = { runtime: R; identity: ShareIdentity; name: string };

/**
 * A handler of a share link's address, the third principal beside people and displays. Only the
 * token in the path counts: session cookies are ignored, and none are set. The handler answers
 * every token, because each response is a page; for an invalid token it must equal that of a
 * missing address.
 */
export function checkedSharePage<R extends AuthRuntime>(
  runtimeOf: () => R,
  handler: (context: ShareContext<R>) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, (runtime, request, params) =>
    andThen(identify(runtime, request, params), (identity) => {
      const pageOf = (error: unknown): Answer => {
        if (isDatabaseOutage(error)) {
          runtime.securityLog.failed("request_unanswered", error, request);
          return UNREACHABLE_PAGE;
        }
        if (!isFailure(error) || error.code !== "too_many_requests") throw error;
        return tooManyPage(error.retryAfterSeconds ?? 1);
      };
      try {
        const made = ofLink(runtime, request, identity, () =>
          handler({ runtime, identity, request }),
        );
        return made instanceof Promise ? made.catch(pageOf) : made;
      } catch (error) {
        return pageOf(error);
      }
    }),
  );
}

/**
 * A handler for reports of a share link's page; checked like mutations. 404 unless the link is
 * open.
 */
export function checkedShareRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  handler: (context: LinkContext<R>) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request, params) => {
    const identity = await identify(runtime, request, params);
    if (identity.state === "unavailable") throw databaseAway();
    if (identity.state !== "known") throw nothingHere();
    refuseUnconfirmed(identity.isConfirmed, true);
    const { link } = identity;
    return ofLink(runtime, request, identity, async () => {
      await readMutation(runtime, request, null);
      return handler({ runtime, link, address: clientAddress(request.headers), request });
    });
  });
}

/** A handler of a share link's preview, by a name that opens nothing else. */
export function checkedPreviewRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  handler: (context: PreviewContext<R>) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, (runtime, request, { preview = "", name = "" }) =>
    andThen(runtime.auth.shareLinks.identifyPreview(preview), (identity) =>
      ofLink(runtime, request, identity, () => handler({ runtime, identity, name })),
    ),
  );
}

/** A link is read by as many as it was sent to, so each reader's address has its own turns. */
function ofLink(
  runtime: AuthRuntime,
  request: HttpRequest,
  identity: ShareIdentity,
  work: () => MaybePromise<Answer>,
): MaybePromise<Answer> {
  const link = identity.state === "known" ? identity.link : null;
  const id = identity.state === "ended" ? identity.ended.id : link?.id;
  if (id === undefined) return work();
  const asker = `link ${id} ${clientAddress(request.headers)}`;
  return inTurn(runtime, request, { asker, person: null }, work);
}

function identify(
  { auth }: AuthRuntime,
  { headers }: HttpRequest,
  { token = "" }: Readonly<Record<string, string>>,
): MaybePromise<ShareIdentity> {
  return auth.shareLinks.identify(token, clientAddress(headers));
}
