import { useQuery } from "@tanstack/react-query";

const RETRY_MS = 20_000;

/**
 * A part of the page whose code is loaded on demand.
 * @param name unique
 * @returns null until it is loaded; a failed load is retried
 */
export function usePart<T>(name: string, load: () => Promise<T>, isNeeded: boolean): T | null {
  const { data = null } = useQuery({
    queryKey: ["part", name],
    queryFn: load,
    enabled: isNeeded,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: true,
    retryDelay: RETRY_MS,
    structuralSharing: false,
  });
  return data;
}
