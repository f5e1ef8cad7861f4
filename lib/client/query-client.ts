import { QueryClient } from "@tanstack/react-query";

/** One per browser tab, and per server render, so that people never share a cache. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The refetch interval of each resource is its retry; a burst of retries is no use.
        retry: false,
        // "online" would pause silently without a network; requests should fail, so that the page can say so.
        networkMode: "always",
        refetchOnWindowFocus: "always",
        refetchOnReconnect: "always",
      },
    },
  });
}
