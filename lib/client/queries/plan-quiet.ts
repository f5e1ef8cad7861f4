import type { QueryClient } from "@tanstack/react-query";
import { post, remove } from "@/lib/client/change";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { ExpectationRequest } from "@/lib/contracts/quiet";
import { isNothing, resource } from "./resource";

const quiet = resource("quiet");

/** Plans a quiet time; the list is reloaded whether or not it succeeded. @throws ApiError; 409 if there are too many */
export async function planQuiet(
  client: QueryClient,
  company: string,
  asked: ExpectationRequest,
): Promise<void> {
  await quiet.changed(client, post(companyPath(company, "expectations", {}), asked, isRecord));
}

/** Ends a quiet time now; the list is reloaded whether or not it succeeded. @throws ApiError */
export async function endQuiet(client: QueryClient, company: string, id: string): Promise<void> {
  const path = companyPath(company, `expectations/${encodeURIComponent(id)}`, {});
  await quiet.changed(client, remove(path, isNothing));
}
