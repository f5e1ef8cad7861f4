import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { billOfMaterials } from "./sbom.mjs";

test("lists everything that production may use, with checksums, and nothing else", () => {
  const { dependencies, devDependencies, version } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const text = billOfMaterials(".");
  const { bomFormat, metadata, components, dependencies: edges } = JSON.parse(text);
  expect(bomFormat).toBe("CycloneDX");
  expect(metadata.component).toMatchObject({ name: "plumbline", version });
  const listed = components.map((one: { "bom-ref": string }) => one["bom-ref"]);
  const named = (packages: Record<string, string>) =>
    Object.entries(packages).map(([name, exact]) => `${name}@${exact}`);
  expect(listed).toEqual(expect.arrayContaining(named(dependencies)));
  expect(named(devDependencies).filter((one) => listed.includes(one))).toEqual([]);
  expect(components.filter((one: { hashes?: unknown[] }) => !one.hashes?.length)).toEqual([]);
  expect(edges).toHaveLength(listed.length + 1);
  // The same for the same lock file.
  expect(text).not.toMatch(/serialNumber|timestamp/);
});
