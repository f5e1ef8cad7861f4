import type { QueryClient } from "@tanstack/react-query";
import { post, remove } from "@/lib/client/change";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { ExpectationRequest } from "@/lib/contracts/quiet";

/** Plans a quiet time; the list is reloaded whether or not it succeeded. @throws ApiError; 409 if there are too many */
export async function planQuiet(
  client: QueryClient,
  company: string,
  asked: ExpectationRequest,
): Promise<void> {
  await andRead(client, post(companyPath(company, "expectations", {}), asked, isRecord));
}

/** Ends a quiet time now; the list is reloaded whether or not it succeeded. @throws ApiError */
export async function endQuiet(client: QueryClient, company: string, id: string): Promise<void> {
  const path = companyPath(company, `expectations/${encodeURIComponent(id)}`, {});
  await andRead(
    client,
    remove(path, (body) => body === null),
  );
}

async function andRead(client: QueryClient, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } finally {
    await client.invalidateQueries({ queryKey: ["quiet"] });
  }
}
