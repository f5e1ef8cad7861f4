/** Deeper than any folder of pages. */
const DEEPEST = 32;

const KINDS = new Set(["c", "oc", "d"]);
for (const kind of ["ci", "di"])
  for (const above of ["(..)(..)", "(.)", "(..)", "(...)"]) KINDS.add(kind + above);
const REFRESHES = new Set(["refetch", "inside-shared-layout", "metadata-only"]);

/**
 * Whether a `Next-Router-State-Tree` header is one that Next's router writes: Next answers any
 * other with a 500.
 * @param {string | undefined} header
 */
export function isRouterState(header) {
  if (header === undefined) return true;
  try {
    return isTree(JSON.parse(decodeURIComponent(header)), DEEPEST);
  } catch {
    return false;
  }
}

/**
 * @param {unknown} tree
 * @param {number} levels that may follow
 * @returns {boolean}
 */
function isTree(tree, levels) {
  if (!Array.isArray(tree) || tree.length > 6 || levels === 0) return false;
  const [segment, children, refresh, marker, hints, more] = tree;
  return (
    isSegment(segment) &&
    typeof children === "object" &&
    children !== null &&
    !Array.isArray(children) &&
    Object.values(children).every((child) => isTree(child, levels - 1)) &&
    (isNothing(refresh) || (areTexts(refresh) && refresh.length === 2)) &&
    (isNothing(marker) || REFRESHES.has(marker)) &&
    (isNothing(hints) || typeof hints === "number") &&
    (more === undefined || typeof more === "string")
  );
}

/** @param {unknown} segment */
function isSegment(segment) {
  if (typeof segment === "string") return true;
  if (!Array.isArray(segment) || segment.length !== 4) return false;
  const [name, key, kind, siblings] = segment;
  return areTexts([name, key]) && KINDS.has(kind) && (siblings === null || areTexts(siblings));
}

/**
 * @param {unknown} given
 * @returns {given is string[]}
 */
function areTexts(given) {
  return Array.isArray(given) && given.every((one) => typeof one === "string");
}

/** @param {unknown} given */
function isNothing(given) {
  return given === null || given === undefined;
}
