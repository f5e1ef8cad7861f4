// The bill of materials of what runs in production, as CycloneDX JSON.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * @param {string} root the project's folder, with its lock file
 * @returns {string} JSON that depends on the lock file only
 * @throws Error if npm makes none
 */
export function billOfMaterials(root) {
  const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const shipped = shippedPackages(root);
  // `--omit dev` leaves out packages that production and development share, such as Next.
  const made = spawnSync("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (made.status !== 0) throw new Error(`npm sbom failed: ${made.error?.message ?? made.stderr}`);
  const { metadata, components, dependencies, ...bill } = JSON.parse(made.stdout);
  // Differs each time, and the component is named after the checkout's folder.
  delete bill.serialNumber;
  delete metadata.timestamp;
  metadata.component.name = name;
  const own = `${name}@${version}`;
  const isShipped = (/** @type {string} */ ref) => ref === own || shipped.has(ref);
  return JSON.stringify(
    {
      ...bill,
      metadata,
      components: components.filter((/** @type {any} */ one) => isShipped(one["bom-ref"])),
      dependencies: dependencies
        .filter((/** @type {any} */ one) => isShipped(one.ref))
        .map((/** @type {any} */ one) => ({ ...one, dependsOn: one.dependsOn.filter(isShipped) })),
    },
    null,
    2,
  );
}

/**
 * @param {string} root
 * @returns {Set<string>} `name@version` of every package in the lock file that isn't only for development
 */
function shippedPackages(root) {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  return new Set(
    Object.entries(lock.packages)
      // `devOptional`: only installed for development, though production could use it.
      .filter(([place, { dev, devOptional }]) => place !== "" && !dev && !devOptional)
      .map(([place, entry]) => {
        const name = entry.name ?? place.slice(place.lastIndexOf("node_modules/") + 13);
        return `${name}@${entry.version}`;
      }),
  );
}
