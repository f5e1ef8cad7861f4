/**
 * Until there is something that has to be put away, a signal ends the process at once, and well.
 * @type {() => void}
 */
let act = () => process.exit(0);

// Imported before everything else: the libraries take longest to load, and a signal may come meanwhile.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => act());

/**
 * Says what a signal to stop does from now on.
 * @param {() => void} stop called at each signal
 */
export function onSignal(stop) {
  act = stop;
}
