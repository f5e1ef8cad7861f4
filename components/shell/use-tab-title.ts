import { useEffect } from "react";
import { withoutCount } from "@/lib/client/tab-count";

/**
 * Keeps the tab's title saying how a company's board stands. The framework writes the page's own title whenever
 * its metadata arrives, which may be later than this.
 * @param title "Northgate Builders: 9 of 60 need attention", whole
 */
export function useBoardTitle(title: string) {
  useEffect(() => {
    // A document gives its title back with single blanks: another one would be written again for ever.
    const wanted = title.replaceAll(/[\t\n\f\r ]+/g, " ").trim();
    const write = () => {
      if (withoutCount(document.title) !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [title]);
}

/**
 * The same for a page within a company: our name stands behind its title.
 * @param title "Procore: 3 of 9 need attention"
 */
export function useTabTitle(title: string) {
  useBoardTitle(`${title} · Plumbline`);
}
