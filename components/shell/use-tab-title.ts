import { useEffect } from "react";
import { withoutCount } from "@/lib/client/tab-count";

/**
 * Keeps the board's state in the tab's title. The framework writes the page's own title whenever
 * its metadata arrives, which may be later than this.
 * @param title "Northgate Builders: 9 of 60 need attention", complete
 */
export function useBoardTitle(title: string) {
  useEffect(() => {
    // `document.title` returns collapsed spaces: any other text would be rewritten forever.
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
 * Same for a page within a company: our name is appended to its title.
 * @param title "Procore: 3 of 9 need attention"
 */
export function useTabTitle(title: string) {
  useBoardTitle(`${title} · Plumbline`);
}
