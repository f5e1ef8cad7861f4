import { NOT_STARTED } from "./words";
/** Set on `window` when the page's scripts start. */
export const ALIVE = "plumblineWall";

/**
 * Runs first on a wall's page, in any browser (ES5). A browser that can't run our scripts is
 * redirected to the plain page at once. If they could but did not run within 20 s (a connection
 * lost between page and script), the picture, which would never age, is removed; once Plumbline
 * responds, the plain page takes over, which retries this one later.
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
