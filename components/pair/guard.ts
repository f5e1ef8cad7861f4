/** Set on `window` by the page's scripts as soon as they run. */
export const ALIVE = "plumblinePair";

/**
 * Keeps the page moving in browsers where our scripts do not run (ES5): every few seconds on to the next
 * step, which is an address of its own. Only while Plumbline answers: a browser's error page goes nowhere.
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
