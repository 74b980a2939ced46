import type { Problems } from './problems.ts';
import { isCredential, isSecretName } from './secret-names.ts';
import { mentionsValue } from './text.ts';
import { isMapTree, isScalarTree, type MapEntry, type MapTree, type Tree, valueAt } from './tree.ts';
import { formOf } from './values.ts';

const publicPrefixes = ['NEXT_PUBLIC_', 'VITE_', 'PUBLIC_', 'REACT_APP_', 'NUXT_PUBLIC_', 'EXPO_PUBLIC_', 'GATSBY_'];

/** Keys of a map that name its `value`: `{ name: STRIPE_SECRET_KEY, value: … }`. */
const namingKeys = ['key', 'name', 'item', 'variable'];

interface Spot {
  /** The name under which the value stands, `null` where names do not count. */
  readonly name: string | null;
  /** Dotted, for the message: `a.value`. */
  readonly at: string;
}

/**
 * Refuses literals that are, or look like, a secret: by their name, by their form, or because they were copied from our own masked
 * output. The repository keeps a plan for good, so this check comes before anything else uses the value. No error shows the value.
 */
export function findSecretLiterals(tree: Tree, spot: Spot, problems: Problems): void {
  if (isScalarTree(tree)) {
    if (tree.value !== null && typeof tree.value !== 'boolean') judge(tree.value, tree, spot, problems);
    return;
  }
  if (!isMapTree(tree)) {
    for (const [i, item] of tree.items.entries()) findSecretLiterals(item, { name: spot.name, at: `${spot.at}[${i}]` }, problems);
    return;
  }
  const form = formOf(tree);
  if (form?.key === 'secret') judgeReference(form.value, spot, problems);
  if (form) return;
  for (const entry of tree.entries) findSecretLiterals(entry.value, spotOf(entry, tree, spot.at), problems);
}

/** The spot of a map's entry; a line's params are such a map. */
export function spotOf(entry: MapEntry, within: MapTree, at: string): Spot {
  const spot = { name: nameOf(entry, within), at: at === '' ? entry.key : `${at}.${entry.key}` };
  // Names of outputs stand before pointers: `outputs: { token: /token }`.
  return at.endsWith('outputs') && /(^|\.)outputs$/.test(at) ? { ...spot, name: null } : spot;
}

function nameOf(entry: MapEntry, within: MapTree): string {
  if (entry.key !== 'value') return entry.key;
  for (const key of namingKeys) {
    const name = valueAt(within, key);
    if (isScalarTree(name) && typeof name.value === 'string') return name.value;
  }
  return entry.key;
}

function judge(value: string | number, tree: Tree, spot: Spot, problems: Problems): void {
  const text = String(value);
  if (text === '') return;
  const verdict = verdictOn(text, spot);
  if (verdict) problems.add('SECRET_LITERAL', { detail: `${spot.at} ${verdict.why}`, fix: verdict.fix, place: tree.place });
}

function verdictOn(text: string, spot: Spot): { why: string; fix: string } | null {
  if (isMasked(text)) {
    return {
      why: 'holds the mask that pilotfish prints in place of a secret. So the text was copied from its output, and the value is lost.',
      fix: 'Give the reference of the secret instead: { secret: env://NAME }.',
    };
  }
  if (isPublicName(spot.name)) return null;
  if (isCredential(text)) {
    return { why: 'looks like a credential, and the repository would keep it for good.', fix: adviceFor(spot) };
  }
  // A switch that is called `secret`, written as in YAML 1.1, holds no secret.
  if (/^(yes|no|on|off|true|false)$/i.test(text)) return null;
  // Text with a `${…}` in it was written for this plan.
  if (spot.name === null || !isSecretName(spot.name) || mentionsValue(text)) return null;
  if (/^[a-z][a-z0-9+-]*:\/\/\S+$/.test(text) && !/^(https?|wss?):/.test(text)) {
    return {
      why: 'has a secret’s name and looks like the reference of a secret. As plain text pilotfish would send it as it stands.',
      fix: 'Write { secret: <reference> }.',
    };
  }
  const called = spot.at.endsWith(spot.name) ? '' : ` (${spot.name})`;
  return { why: `is named like a secret${called}, and its value is written out in the plan.`, fix: adviceFor(spot) };
}

function judgeReference(tree: Tree, spot: Spot, problems: Problems): void {
  if (!isScalarTree(tree) || typeof tree.value !== 'string' || !isCredential(tree.value)) return;
  problems.add('SECRET_LITERAL', {
    detail: `${spot.at} gives { secret: … } the credential itself, where the name of its source belongs.`,
    fix: 'Write { secret: env://NAME } and put the credential into that variable.',
    place: tree.place,
  });
}

function adviceFor(spot: Spot): string {
  const variable = spot.name !== null && /^[A-Z][A-Z0-9_]*$/.test(spot.name) ? spot.name : 'NAME';
  return `Use { secret: env://${variable} }, or { public: <text> } when the text is not secret.`;
}

const isPublicName = (name: string | null): boolean => name !== null && publicPrefixes.some((prefix) => name.startsWith(prefix));

const isMasked = (text: string): boolean => text.includes('[sealed') || /(^|[^*])\*{3}([^*]|$)/.test(text);
