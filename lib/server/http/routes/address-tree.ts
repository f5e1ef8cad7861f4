/** The value at an address, and the decoded path parameters. A catch-all's are joined by `/`. */
export type Found<T> = { value: T; address: string; params: Record<string, string> };

type Node<T> = {
  fixed: Map<string, Node<T>>;
  variable: { name: string; node: Node<T> } | null;
  rest: { name: string; leaf: Leaf<T> } | null;
  leaf: Leaf<T> | null;
};
type Leaf<T> = { value: T; address: string };

const newNode = <T>(): Node<T> => ({ fixed: new Map(), variable: null, rest: null, leaf: null });

/**
 * Routes paths to addresses written like Next's folders: `[name]` is one segment, `[...name]` one
 * or more, `[[...name]]` any number. The most specific address wins.
 * @param entries by address, such as `/api/companies/[company]/sync-status`
 */
export function createAddressTree<T>(
  entries: Readonly<Record<string, T>>,
): (path: string) => Found<T> | null {
  const root = newNode<T>();
  for (const [address, value] of Object.entries(entries)) {
    let node = root;
    const leaf = { value, address };
    for (const part of address.split("/").slice(1)) {
      const catchAll = /^\[?\[\.\.\.(\w+)\]\]?$/.exec(part)?.[1];
      const name = /^\[(\w+)\]$/.exec(part)?.[1];
      if (catchAll !== undefined) {
        node.rest = { name: catchAll, leaf };
        if (part.startsWith("[[")) node.leaf ??= leaf;
      } else if (name === undefined) {
        const next = node.fixed.get(part) ?? newNode<T>();
        node.fixed.set(part, next);
        node = next;
      } else {
        node.variable ??= { name, node: newNode<T>() };
        node = node.variable.node;
      }
    }
    if (!address.endsWith("]") || !address.includes("[...")) node.leaf = leaf;
  }

  function find(node: Node<T>, parts: readonly string[], at: number): Found<T> | null {
    const part = parts[at];
    if (part === undefined) return node.leaf === null ? null : { ...node.leaf, params: {} };
    const next = node.fixed.get(part);
    const exact = next === undefined ? null : find(next, parts, at + 1);
    if (exact !== null) return exact;
    if (node.variable !== null && part !== "") {
      const found = find(node.variable.node, parts, at + 1);
      if (found !== null) {
        found.params[node.variable.name] = decodeURIComponent(part);
        return found;
      }
    }
    if (node.rest === null) return null;
    const rest = parts.slice(at).map(decodeURIComponent).join("/");
    return { ...node.rest.leaf, params: { [node.rest.name]: rest } };
  }

  return (path) => find(root, path.split("/"), 1);
}
