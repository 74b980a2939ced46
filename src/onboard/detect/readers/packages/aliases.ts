import type { Fact, FactReader, Manifest, Reading } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderOf, withoutComments } from '../source.ts';
import { mapOf, textOf, textsOf, tomlOf } from './json.ts';

/** A version catalog of Gradle gives names to packages; builds use the names: `libs.stripe.java`, `libs.bundles.aws`. */
export const versionCatalog: FactReader = {
  name: 'version catalogs of Gradle',
  takes: (path) => /\.versions\.toml$/.test(path),
  endings: ['toml'],
  read: async (file) => {
    const { root, problem } = await tomlOf(file.text);
    const catalog = baseOf(file.path).replace(/\.versions\.toml$/, '');
    const aliases: { [alias: string]: readonly string[] } = Object.create(null);
    const names = new Map<string, string>();
    for (const [alias, how] of Object.entries(mapOf(root.libraries)).slice(0, 5000)) {
      const coordinates = coordinatesOf(how);
      if (coordinates === null) continue;
      names.set(alias, coordinates);
      aliases[`${catalog}.${dotted(alias)}`] = [coordinates];
    }
    for (const [bundle, list] of Object.entries(mapOf(root.bundles))) {
      aliases[`${catalog}.bundles.${dotted(bundle)}`] = textsOf(list).flatMap((alias) => names.get(alias) ?? []);
    }
    for (const [alias, how] of Object.entries(mapOf(root.plugins)).slice(0, 5000)) {
      const id = /^[\w.-]+/.exec(textOf(how) ?? textOf(mapOf(how).id) ?? '')?.[0];
      if (id !== undefined) aliases[`${catalog}.plugins.${dotted(alias)}`] = [`${id}:${id}.gradle.plugin`];
    }
    const folder = folderOf(file.path);
    return new Listing(file, 'maven').reading({
      folder: folderOf(folder),
      aliases: { ...aliases },
      ...(problem !== undefined && { problem }),
    });
  },
};

const dotted = (alias: string): string => alias.replace(/[-_]/g, '.');

function coordinatesOf(how: unknown): string | null {
  const { module, group, name } = mapOf(how);
  const whole = textOf(how) ?? textOf(module) ?? (textOf(group) && textOf(name) ? `${String(group)}:${String(name)}` : '');
  return /^[\w.-]+:[\w.-]+/.exec(whole)?.[0] ?? null;
}

/** Constants of `buildSrc` and of included builds: `object Deps { const val stripe = "com.stripe:stripe-java:30" }`. */
export const buildConstants: FactReader = {
  name: 'constants of a Gradle build',
  takes: (path) => /(?:^|\/)(?:buildSrc|build-logic|build-plugins?|gradle-plugins?)\/.*\.(?:kt|java|groovy)$/.test(path),
  endings: ['kt', 'java', 'groovy'],
  read: (file): Reading => {
    const text = withoutComments(file.text, 'slashes');
    const aliases: { [alias: string]: readonly string[] } = Object.create(null);
    let holder = '';
    const pattern = /\b(?:object|class)[ \t]+(\w{1,80})|\b(\w{1,80})[ \t]*=[ \t]*"([\w.-]{1,200}:[\w.-]{1,200}):[^"\n]{0,200}"/g;
    for (const [, object, name, coordinates] of text.matchAll(pattern)) {
      if (object !== undefined) holder = object;
      if (name !== undefined && coordinates !== undefined) aliases[`${holder}.${name}`] = [coordinates];
    }
    if (Object.keys(aliases).length === 0) return {};
    const folder = /^(?:(.*)\/)?(?:buildSrc|build-logic|build-plugins?|gradle-plugins?)\//.exec(file.path)?.[1] ?? '';
    return new Listing(file, 'maven').reading({ folder, aliases: { ...aliases } });
  },
};

/** Puts the packages of catalogs where builds use their names. A name that no catalog knows stays, and no signal matches it. */
export function resolveAliases(readings: readonly Reading[]): readonly Reading[] {
  const known = new Map<string, readonly string[]>();
  for (const { manifest } of readings) {
    for (const [alias, packages] of Object.entries(manifest?.aliases ?? {})) known.set(alias, packages);
  }
  if (known.size === 0) return readings;
  const packagesOf = (alias: string): readonly string[] =>
    known.get(alias) ?? known.get(alias.replace(/^(?:\w+\.)+(?=\w+\.\w+$)/, '')) ?? [];
  return readings.map((reading) => (reading.manifest?.ecosystem === 'maven' ? resolved(reading, reading.manifest, packagesOf) : reading));
}

const isAlias = (name: string): boolean => !name.includes(':') && name.includes('.');

function resolved(reading: Reading, manifest: Manifest, packagesOf: (alias: string) => readonly string[]): Reading {
  const facts = (reading.facts ?? []).flatMap((fact): readonly Fact[] => {
    const name = fact.kind === 'package' ? fact.name.slice('maven:'.length) : '';
    return isAlias(name) ? packagesOf(name).map((one) => ({ ...fact, name: `maven:${one}` })) : [fact];
  });
  const packages = manifest.packages.flatMap((listed) =>
    isAlias(listed.name) ? packagesOf(listed.name).map((name) => ({ ...listed, name })) : [listed],
  );
  return { ...reading, facts, manifest: { ...manifest, packages } };
}
