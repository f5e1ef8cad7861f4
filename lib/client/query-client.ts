import { QueryClient } from "@tanstack/react-query";

/** One per browser tab (and per server render, so that nobody sees another person's cache). */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The rhythm of each resource is its retry; a burst of them helps nobody.
        retry: false,
        // "online" would pause silently without a network; we would rather fail and say so.
        networkMode: "always",
        refetchOnWindowFocus: "always",
        refetchOnReconnect: "always",
      },
    },
  });
}
