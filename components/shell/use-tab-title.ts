import { useEffect } from "react";

/** Says in the tab's title what the page is about and how it stands. @param state "Procore: 3 of 9 need attention" */
export function useTabTitle(state: string) {
  useEffect(() => {
    document.title = `${state} · Plumbline`;
  }, [state]);
}
