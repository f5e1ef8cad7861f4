/**
 * Until there is something to shut down, a signal exits the process at once with success.
 * @type {() => void}
 */
let act = () => process.exit(0);

// Imported first: the libraries take longest to load, and a signal may arrive meanwhile.
// SIGHUP is what a terminal sends when it is closed.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => act());

/**
 * Sets the handler of stop signals.
 * @param {() => void} stop called at each signal
 */
export function onSignal(stop) {
  act = stop;
}
