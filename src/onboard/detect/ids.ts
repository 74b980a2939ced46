import type { FoundId } from '../../ops/detect.ts';
import { isCredential } from '../../plan/secret-names.ts';
import { type DataFiles, valuesAt } from './data-files.ts';
import type { FoundParam } from './facts.ts';
import type { Listing } from './listing.ts';
import { inFolder } from './paths.ts';

export interface Evidence {
  readonly file: string;
  readonly what: string;
}

/** A service that asks for values of params. */
interface Asking {
  readonly name: string;
  readonly ids: readonly FoundId[];
}

/**
 * Reads values of params from files. A value of the root holds for the whole repository. If only other folders have values, each of them
 * is given, and whoever asked decides: a line of the plan may not change somebody else's project.
 */
export async function readIds(
  asking: Asking,
  { folders, files, data }: { readonly folders: readonly string[]; readonly files: Pick<Listing, 'has'>; readonly data: DataFiles },
): Promise<readonly FoundParam[]> {
  const found: FoundParam[] = [];
  for (const [param, places] of Map.groupBy(asking.ids, (one) => one.param)) {
    for (const [i, folder] of folders.entries()) {
      // The first folder is the root, and its value holds for all.
      if (i > 0 && folders[0] === '' && found.some((one) => one.param === param && isOfRoot(one.file, places))) break;
      for (const { file, value } of await valuesIn(folder, places, { files, data }))
        found.push({ provider: asking.name, param, value, file, line: 0 });
    }
  }
  return found;
}

const isOfRoot = (file: string, places: readonly FoundId[]): boolean => places.some((place) => place.file === file);

/** The values in one folder. The first place with a value counts. */
async function valuesIn(
  folder: string,
  places: readonly FoundId[],
  { files, data }: { readonly files: Pick<Listing, 'has'>; readonly data: DataFiles },
): Promise<readonly { readonly file: string; readonly value: string }[]> {
  for (const { file, at, pattern } of places) {
    const path = inFolder(folder, file);
    if (!files.has(path)) continue;
    const given = valuesAt(await data.read(path), at).flatMap((value) => idOf(value) ?? []);
    const here = given.filter((value) => pattern === undefined || new RegExp(pattern, 'u').test(value));
    if (here.length > 0) return here.map((value) => ({ file: path, value }));
  }
  return [];
}

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
