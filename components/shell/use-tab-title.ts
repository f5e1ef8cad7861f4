import { useEffect } from "react";
import { withoutCount } from "@/lib/client/tab-count";

/**
 * Keeps the tab's title saying how the page stands. The framework writes the page's own title whenever its
 * metadata arrives, which may be later than this.
 * @param title "Procore: 3 of 9 need attention"
 */
export function useTabTitle(title: string) {
  useEffect(() => {
    // A document gives its title back with single blanks: another one would be written again for ever.
    const wanted = `${title} · Plumbline`.replaceAll(/[\t\n\f\r ]+/g, " ").trim();
    const write = () => {
      if (withoutCount(document.title) !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [title]);
}
