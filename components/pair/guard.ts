/** Set on `window` when the page's scripts start. */
export const ALIVE = "plumblinePair";

/**
 * Keeps the page moving in browsers where our scripts do not run (ES5): every few seconds on to the
 * next step, which has its own address. Only while Plumbline responds: a browser's error page would
 * be stuck.
 */
export const GUARD = `(function (w) {
  function later() { w.setTimeout(step, 8000); }
  function step() {
    if (w.${ALIVE}) return;
    var ask = new XMLHttpRequest();
    ask.timeout = 10000;
    ask.open("GET", "/api/health/live");
    ask.onloadend = function () {
      if (ask.status === 200) w.location.replace("/pair/step");
      else later();
    };
    ask.send();
  }
  later();
})(window);`;
