import { askFirstScript } from "@/components/ui/ask-first-script";

const TAKE = "earlySubmit";

/** Runs before everything else of the page, in any browser (ES5): whoever signs in early need not do it twice. */
export const HOLD = `(function(d){
var held=false;
function hold(e){e.preventDefault();held=true}
d.addEventListener("submit",hold,true);
window.${TAKE}=function(){d.removeEventListener("submit",hold,true);return held}
})(document)`.replaceAll("\n", "");

/** From here on the page hears by itself when its form is sent. @returns whether it was sent before */
export function takeEarlySubmit(): boolean {
  return askFirstScript(TAKE) === true;
}
