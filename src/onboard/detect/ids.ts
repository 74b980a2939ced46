import type { Detect, FoundId } from '../../ops/detect.ts';
import { isCredential } from '../../plan/secret-names.ts';
import { DataFiles, valuesAt } from './data-files.ts';
import type { Repository } from './repository.ts';

export interface Evidence {
  readonly file: string;
  readonly what: string;
}

export interface FoundValue {
  readonly value: string;
  /** The path from the root of the repository. */
  readonly file: string;
}

interface Asked extends FoundId {
  /** The name of the provider that asks. */
  readonly name: string;
}

interface Ids {
  readonly ids: { readonly [param: string]: FoundValue };
  readonly unclear: { readonly [param: string]: readonly FoundValue[] };
}

/**
 * Reads values of params from files, by provider. A value of the root holds for the whole repository. If only workspaces have a value and
 * they disagree, none is taken: a line of the plan would change somebody else's project.
 */
export async function readIds(repository: Repository, asked: readonly Asked[]): Promise<ReadonlyMap<string, Ids>> {
  const files = new DataFiles(repository.root);
  const found = new Map<string, { ids: Record<string, FoundValue>; unclear: Record<string, readonly FoundValue[]> }>();
  for (const group of Map.groupBy(asked, ({ name, param }) => JSON.stringify([name, param])).values()) {
    const [first] = group;
    if (!first) continue;
    const { name, param } = first;
    const [value, ...others] = await valuesOf(repository, group, files);
    if (!value) continue;
    const known = found.get(name) ?? { ids: {}, unclear: {} };
    found.set(name, known);
    if (others.length === 0) known.ids[param] = value;
    else known.unclear[param] = [value, ...others];
  }
  return found;
}

/** The different values of one param, in the order of the workspaces. In each workspace the first place with a value counts. */
async function valuesOf(repository: Repository, places: readonly Asked[], files: DataFiles): Promise<readonly FoundValue[]> {
  const values = new Map<string, FoundValue>();
  for (const [i, { folder, files: own }] of repository.workspaces.entries()) {
    // The first workspace is the root, and its value holds for all.
    if (i === 1 && values.size > 0) break;
    for (const { file, at, pattern } of places) {
      if (!own.has(file)) continue;
      const path = inFolder(folder, file);
      const given = valuesAt(await files.read(path), at).flatMap((value) => idOf(value) ?? []);
      const here = given.filter((value) => pattern === undefined || new RegExp(pattern, 'u').test(value));
      for (const value of here) if (!values.has(value)) values.set(value, { value, file: path });
      if (here.length > 0) break;
    }
  }
  return [...values.values()];
}

export const inFolder = (folder: string, file: string): string => (folder === '' ? file : `${folder}/${file}`);

/** Values of examples and templates that a person must replace. */
const placeholder =
  /^(?:.*[<>{}].*|\$\w+|\.{3}|x{3,}|todo|tbd|none|null|undefined|changeme|change[-_]me|replace[-_]?me.*|placeholder|example|sample|insert[-_].*|(?:your|my)[-_ ](?:\w+[-_ ])*(?:id|name|project|site|app|org|account|key|team|slug|ref|here)|0+(?:-0+)*)$/i;

/** Forms of providers' tokens, in addition to those that a plan refuses. */
const token =
  /^(?:eyJ[\w-]{10,}\.|(?:sk-|rk_|re_|pscale_|sbp_|sb_secret_|napi_|nfp_|rnd_|HRKU-|dp\.|dop_v1_|npm_|lin_api_|secret_|ntn_|phx_|xau_|FlyV1|fo1_)\S{12,}|(?:api|sdk|mob)-[\da-f]{8}-)/;

/** Reads a value as an id. An id is a short text or a number that a person filled in, and no credential; any other value gives `null`. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text === '' || text.length > 200 || /[\p{Cc}\s]/u.test(text)) return null;
  return placeholder.test(text) || isCredential(text) || token.test(text) ? null : text;
}

interface Told {
  /** The name of the provider. */
  readonly name: string;
  readonly evidence: Evidence;
}

/** Finds providers by a key in a file that other providers share. */
export async function readHolds(
  repository: Repository,
  providers: readonly { readonly name: string; readonly detect?: Detect }[],
): Promise<readonly Told[]> {
  const files = new DataFiles(repository.root);
  const told: Told[] = [];
  for (const { name, detect } of providers) {
    for (const { file, at } of detect?.holds ?? []) {
      for (const { folder, files: own } of repository.workspaces) {
        if (!own.has(file)) continue;
        const path = inFolder(folder, file);
        const isThere = valuesAt(await files.read(path), at).length > 0;
        if (isThere) told.push({ name, evidence: { file: path, what: `key ${at.slice(1).replaceAll('/', '.')}` } });
      }
    }
  }
  return told;
}
