import type { Json } from '../../core/json.ts';
import { type DraftedBlock, type DraftedValue, type DraftProvider, fill, fillGiven, type Holes } from '../draft.ts';
import type { Site } from './sites.ts';

interface Facts {
  readonly repository: string;
  readonly renamed: ReadonlyMap<string, string>;
}

/** The value of a variable, with the hint for what a person must complete. */
export function valueFor(value: Json, { todo, ...facts }: Facts & { readonly todo: string | undefined }): DraftedValue {
  return { ...fill(value, { holes: {}, ...facts }), ...(todo !== undefined && { todo }) };
}

/** The address of the preview at a site. `isBefore`: for a line whose values the build needs. */
export function addressOf(
  site: Site | null,
  { isBefore, ...facts }: Facts & { readonly isBefore: boolean; readonly made: ReadonlyMap<string, DraftedValue> },
): Holes {
  const own = site?.provider.adapter.detect?.hosting;
  const hosting = isBefore ? (own?.before ?? own) : own;
  const todo = 'the address of the preview at its host.';
  const ids = site?.host.ids ?? {};
  const filled = { holes: {}, ...facts };
  const url: DraftedValue = hosting ? fillGiven(hosting.url, filled, ids) : { value: 'https://your-preview.example.com', todo };
  const host: DraftedValue = hosting?.host ? fillGiven(hosting.host, filled, ids) : hostOf(url, todo);
  return { 'preview.url': url, 'preview.host': host };
}

function hostOf({ value, todo, check }: DraftedValue, fallback: string): DraftedValue {
  if (typeof value !== 'string') return { value: 'your-preview.example.com', todo: fallback };
  const host = value.replace(/^https:\/\//, '').replace(/\/.*$/, '');
  return { value: host, ...(todo !== undefined && { todo }), ...(check !== undefined && { check }) };
}

/** Values in place of outputs of the host's lines whose object a workflow makes: what the workflow gives it, or a placeholder. */
export function madeBy({ isMade, provider, host }: Site): ReadonlyMap<string, DraftedValue> {
  if (!isMade) return new Map();
  const { name, ops, detect } = provider.adapter;
  const places = (detect?.draft ?? []).filter(({ part }) => part === undefined);
  return new Map(
    places.flatMap(({ id, op }) =>
      Object.keys(ops[op]?.outputs ?? {}).map((output): [string, DraftedValue] => {
        const known = host.ids[output];
        const todo = `the ${output.replaceAll('_', ' ')} that your workflow gives the preview.`;
        return [`${id}.${output}`, known === undefined ? { value: placeholderOf(name, output), todo } : { value: known }];
      }),
    ),
  );
}

/** An address has the form of one: lines take it apart, and a person replaces the word in it alone. */
function placeholderOf(provider: string, output: string): string {
  const word = `your-${provider.replaceAll('_', '-')}`;
  if (/(?:^|_)url$/.test(output)) return `https://${word}-preview.example.com`;
  return /(?:^|_)(?:host|hostname|domain)$/.test(output) ? `${word}-preview.example.com` : `${word}-${output.replaceAll('_', '-')}`;
}

/** The keys that the blocks of providers need in every plan. A value from files goes before a placeholder. */
export function blocksFor(
  owners: readonly { readonly provider: DraftProvider; readonly ids: { readonly [param: string]: string } }[],
  repository: string,
): readonly DraftedBlock[] {
  const prefix = 'provider.';
  return [...Map.groupBy(owners, ({ provider }) => provider)].flatMap(([provider, all]) => {
    const found = new Map<string, DraftedValue>();
    for (const { ids } of all) {
      for (const [name, value] of Object.entries(ids))
        if (name.startsWith(prefix) && !found.has(name)) found.set(name.slice(prefix.length), { value });
    }
    for (const [key, how] of Object.entries(provider.adapter.detect?.provider ?? {})) {
      if (!found.has(key)) found.set(key, fillGiven(how, { holes: {}, repository, renamed: new Map() }));
    }
    return found.size === 0 ? [] : [{ provider, keys: [...found], isAside: false }];
  });
}
