import { useRouter } from "next/navigation";
import { useCallback } from "react";

/**
 * Opens a page of the app. The press is painted first: on a slow processor the new page takes a quarter of a second to
 * draw, even if its data comes at once.
 */
export function useOpen(): (path: string) => void {
  const router = useRouter();
  return useCallback((path) => afterPaint(() => router.push(path)), [router]);
}

/** A page in the background isn't painted: there it runs at once. */
function afterPaint(run: () => void): void {
  if (document.hidden) run();
  else requestAnimationFrame(() => setTimeout(run));
}
