import { NOT_STARTED } from "./words";
/** Set on `window` by the page's scripts as soon as they run. */
export const ALIVE = "plumblineWall";

/**
 * Runs before everything else of a wall's page, in any browser (ES5). Where our scripts cannot run it goes to
 * the plain page at once. Where they could but did not run within 20 s (a cut between page and script), a
 * picture that will never age may not stay: it is taken down, and as soon as Plumbline answers the plain page
 * takes over, which tries this one again after a while.
 */
export const GUARD = `(function (w, d) {
  try { if (w.frameElement && w.frameElement.hasAttribute("data-wall-frame")) return; } catch (e) {}
  if (w.location.pathname === "/wall/plain") return;
  var only = /^\\/([^\\/]+)\\/wall$/.exec(w.location.pathname);
  var plain = "/wall/plain?" + (only ? "company=" + only[1] + "&" : "");
  if (!w.Promise || !w.fetch || !w.structuredClone || !Object.hasOwn || ![].at || ![].findLast) {
    w.location.replace(plain);
    return;
  }
  function leave() {
    if (w.${ALIVE}) return;
    d.body.hidden = false;
    d.body.className = "wall-stopped";
    d.body.textContent = "${NOT_STARTED}";
    var ask = new XMLHttpRequest();
    ask.timeout = 10000;
    ask.open("GET", plain);
    ask.onloadend = function () {
      if (ask.status === 200) w.location.replace(plain + "again=20");
      else w.setTimeout(leave, 15000);
    };
    ask.send();
  }
  w.setTimeout(leave, 20000);
})(window, document);`;
