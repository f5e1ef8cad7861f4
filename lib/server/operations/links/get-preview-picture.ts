import { readFile } from "node:fs/promises";
import path from "node:path";
import { Failure } from "@/lib/contracts/failure";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import type { ShareIdentity } from "@/lib/server/auth/share-links";
import { createCompanyCache, type CompanyCache } from "@/lib/server/cache/company-cache";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { renderPicture } from "@/lib/server/rendering/render-picture";
import { type SharedRuntime } from "./get-shared-page";
import { pictureName, totalOf } from "./link-card";
import { sharedIncident } from "./shared-incident";
import { sharedPast } from "./shared-past";
import { NO_LINK } from "./words";
import { sharedState } from "@/lib/server/shared-state";

type Bytes = Uint8Array<ArrayBuffer>;

const HEADERS = {
  "content-type": "image/png",
  // A revocation must show on the next request.
  "cache-control": "private, no-store",
  "cross-origin-resource-policy": "cross-origin",
  "x-robots-tag": "noindex, nofollow",
};

type Pictures = {
  /** Each is of one moment and never changes; one is about 40 kB. */
  drawn: CompanyCache<PlainResponse>;
  /** One after the other: drawing is work for this process's only thread. */
  drawing: Promise<unknown>;
  generic: Promise<PlainResponse> | null;
};

const picturesOf = (runtime: object) =>
  sharedState(runtime, "preview pictures", (): Pictures => ({
    drawn: createCompanyCache(50, 20),
    drawing: Promise.resolve(),
    generic: null,
  }));

/**
 * The picture of a link's preview, `GET /api/previews/[preview]/[name]`: of the moment in `name`
 * while the link is open and its maker allows details in previews; else the generic one.
 * @throws Failure `not_found` for a preview that no link ever had
 */
export async function getPreviewPicture(
  runtime: Pick<SharedRuntime, "connections" | "database">,
  identity: ShareIdentity,
  name: string,
): Promise<PlainResponse> {
  if (identity.state === "unknown") throw new Failure("not_found", NO_LINK);
  const pictures = picturesOf(runtime);
  if (identity.state !== "known") return genericPicture(pictures);
  const { link } = identity;
  if (name !== pictureName(link)) throw new Failure("not_found", NO_LINK);
  if (!link.hasDetailsInPreview || connectedName(runtime.connections, link.company) === null)
    return genericPicture(pictures);
  if (link.incidentId !== null && (await sharedIncident(runtime, link)) === null)
    return genericPicture(pictures);
  const { drawn } = pictures;
  const known = drawn.get(link.company, link.id);
  if (known !== undefined) return known;
  const picture = pictures.drawing.then(async () => {
    const before = drawn.get(link.company, link.id);
    if (before !== undefined) return before;
    const { partnerName, stored } = link;
    const made = pictureAnswer(
      await renderPicture({
        partnerName,
        companyName: stored.company_name,
        past: sharedPast(stored),
        total: totalOf(stored),
      }),
    );
    drawn.set(link.company, link.id, made);
    return made;
  });
  pictures.drawing = picture.catch(() => undefined);
  return picture;
}

function genericPicture(pictures: Pictures): Promise<PlainResponse> {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "public/preview.png");
  pictures.generic ??= readFile(file).then((bytes) => pictureAnswer(Uint8Array.from(bytes)));
  return pictures.generic;
}

const pictureAnswer = (body: Bytes): PlainResponse => ({ status: 200, headers: HEADERS, body });
