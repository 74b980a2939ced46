import { Failure } from '../core/errors.ts';
import { isMap, type Json, mapValues } from '../core/json.ts';
import { getAt, setAt, splitPointer } from '../core/pointer.ts';
import type { Body } from '../http/types.ts';
import type { Applied, Collection, Entry, EntryChange } from './collection.ts';
import { isAsPlanned, merged } from './compare.ts';
import type { ParentSpec } from './parent-spec.ts';
import { holds } from './read.ts';
import { asBody, asJson } from './stored-json.ts';

/** How names stand under the choices of their parent (`ParentSpec.choices`). */
export type Choices = NonNullable<ParentSpec['choices']>;

/**
 * The names under each choice as entries whose value is the choice, so that a plan may name any part of the choice: its id, its name or
 * its value. `raw` is the parent. The object around the list of groups must exist.
 */
export function chosenEntries(raw: unknown, { list_path, path }: ParentSpec, how: Choices): Entry[] {
  const at = splitPointer(list_path);
  const holder = at
    .slice(0, -1)
    .reduce<unknown>((value, part) => (isMap(value) && Object.hasOwn(value, part) ? value[part] : undefined), raw);
  if (!isMap(holder)) {
    throw new Failure('PROVIDER_NOT_FOUND', {
      detail: `${path} has no ${at.slice(0, -1).join('/')}, or the credential may not see it.`,
      fix: 'Correct the name that the line gives for it.',
    });
  }
  const groups = holder[at.at(-1) ?? ''] ?? [];
  const all = choicesOf(raw, how);
  if (!Array.isArray(groups)) throw wrongShape(path, list_path);
  return groups.flatMap((group: unknown) => {
    if (!holds(group, how.match ?? {})) return [];
    const names = getAt(group, how.names) ?? [];
    const choice = all[Number(getAt(group, how.index))];
    if (!Array.isArray(names) || choice === undefined) throw wrongShape(path, list_path);
    return names.map((name: unknown) => ({ name: String(name), value: choice }));
  });
}

/**
 * The entries with each change made, and the instructions that make the changes. A name stands under one choice, so it is taken from its
 * own choice before it is added to another. Sent twice, the instructions have the effect of once.
 */
export function applyChoices<V extends Body>(
  collection: Collection<V>,
  spec: ParentSpec,
  how: Choices,
  changes: readonly EntryChange[],
): Applied {
  let entries: readonly Entry<Body>[] = collection.entries;
  const instructions: Json[] = [];
  for (const { item, entry } of changes) {
    const live = entries.find(({ name }) => name === item);
    const wanted = entry === null ? null : pick(collection, spec, how, { item, entry });
    if (live === undefined ? wanted === null : wanted !== null && isAsPlanned(wanted, live.value)) continue;
    const spelt = live?.spelling ?? item;
    if (live) instructions.push(filled(how.remove, spelt, idOf(live.value, how)));
    if (wanted !== null) instructions.push(filled(how.add, spelt, idOf(wanted, how)));
    const others = entries.filter(({ name }) => name !== item);
    entries = wanted === null ? others : [...others, { ...live, name: item, value: wanted }];
  }
  const body = merged(asBody(setAt({}, how.instructions, instructions)), spec.body ?? {});
  return { next: { ...collection, entries }, body, changed: instructions.length > 0 };
}

const choicesOf = (raw: unknown, { list }: Choices): readonly Json[] => {
  const all = getAt(raw, list);
  return Array.isArray(all) ? all.map(asJson) : [];
};

/** The refusal of an entry that fits none of the parent's choices, or several; `null` for an entry that fits one. */
export function noChoice(
  { raw }: Pick<Collection, 'raw'>,
  { choices: how }: ParentSpec,
  { item, entry }: { readonly item: string; readonly entry: Body | null },
): Failure | null {
  if (!how || entry === null) return null;
  const all = choicesOf(raw, how);
  const [choice, other] = all.filter((one) => isAsPlanned(entry, one));
  if (choice !== undefined && other === undefined) return null;
  return new Failure('PARAM_INVALID', {
    detail: `${choice === undefined ? 'None' : 'More than one'} of the ${all.length} choices for ${item} fits the line. The choices are ${all.map(shown).join('; ')}.`,
    fix: choice === undefined ? 'Name one of them.' : 'Name one of them by its id.',
  });
}

function pick(
  collection: Pick<Collection, 'raw'>,
  spec: ParentSpec,
  how: Choices,
  change: { readonly item: string; readonly entry: Body },
): Json {
  const refusal = noChoice(collection, spec, change);
  const choice = choicesOf(collection.raw, how).find((one) => isAsPlanned(change.entry, one));
  if (refusal || choice === undefined) throw refusal ?? new Failure('INTERNAL', { detail: `No choice for ${change.item}.` });
  return choice;
}

const shown = (choice: Json): string => JSON.stringify(choice).slice(0, 120);

function idOf(choice: Body, { id }: Choices): string {
  const found = getAt(choice, id);
  if (typeof found === 'string' && found !== '') return found;
  throw new Failure('PROVIDER_RESPONSE', { detail: `The provider shows a choice without ${id}, so no instruction can name it.` });
}

/** `{name}` and `{choice}` are whole texts in an instruction, never parts of a text: a name may hold anything. */
function filled(template: Json, name: string, choice: string): Json {
  if (template === '{name}') return name;
  if (template === '{choice}') return choice;
  if (Array.isArray(template)) return template.map((one: Json) => filled(one, name, choice));
  return isMap(template) ? mapValues(template, (one) => filled(asJson(one), name, choice)) : template;
}

const wrongShape = (path: string, at: string): Failure =>
  new Failure('PROVIDER_RESPONSE', {
    detail: `${path} answered with no groups of names at "${at}", each with its choice.`,
  });
