import { askFirstScript } from "@/components/ui/ask-first-script";

const TAKE = "earlySubmit";

/** Runs before everything else of the page, in any browser (ES5): whoever signs in early need not do it twice. */
export const HOLD = `(function(d){
var held=null;
function hold(e){e.preventDefault();held=e.target.getAttribute("data-way")}
d.addEventListener("submit",hold,true);
window.${TAKE}=function(){d.removeEventListener("submit",hold,true);return held}
})(document)`.replaceAll("\n", "");

/** From here on the page hears by itself when a form is sent. @returns the `data-way` of the one sent before, or null */
export function takeEarlySubmit(): string | null {
  const way = askFirstScript(TAKE);
  return typeof way === "string" ? way : null;
}
