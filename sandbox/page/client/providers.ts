import type { Shown } from '../../serve/objects.ts';
import type { ProviderShown } from '../../serve/told.ts';
import { byId, el } from './dom.ts';
import { give } from './orders.ts';

const list = byId('list', HTMLDivElement);
const filter = byId('filter', HTMLInputElement);

const shown = new Map<string, ProviderShown>();
/** Providers that a request went to, the latest first. */
const used: string[] = [];
/** What is unfolded, by its key. */
const unfolded = new Set<string>();
/** What the last write changed, by key: a word for it. */
const news = new Map<string, 'new' | 'changed'>();

const keyOf = (provider: string, { path }: Shown): string => `${provider} ${JSON.stringify(path)}`;

/** Takes the place of everything that the page knew. */
export function setProviders(all: readonly ProviderShown[]): void {
  shown.clear();
  for (const one of all) shown.set(one.name, one);
  draw();
}

/** One provider as it is now. What differs from before is marked. */
export function setProvider(one: ProviderShown): void {
  const before = new Map((shown.get(one.name)?.objects ?? []).map((object) => [keyOf(one.name, object), JSON.stringify(object.fields)]));
  for (const key of [...news.keys()]) if (key.startsWith(`${one.name} `)) news.delete(key);
  for (const object of one.objects) {
    const key = keyOf(one.name, object);
    const was = before.get(key);
    if (was === undefined) news.set(key, 'new');
    else if (was !== JSON.stringify(object.fields)) news.set(key, 'changed');
  }
  shown.set(one.name, one);
  use(one.name);
  draw();
}

/** A request went to the provider: it comes to the top, and is unfolded the first time. */
export function use(name: string): void {
  const at = used.indexOf(name);
  if (at === 0) return;
  if (at > 0) used.splice(at, 1);
  else unfolded.add(name);
  used.unshift(name);
}

/** Draws the list. Somebody who is writing a value is not disturbed: the list waits until the field is left. */
export function draw(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && list.contains(active) && active.matches('input')) {
    active.addEventListener('blur', () => setTimeout(draw), { once: true });
    return;
  }
  const focused = active instanceof HTMLElement && list.contains(active) ? active.dataset.key : undefined;
  const word = filter.value.trim().toLowerCase();
  const names = [...used, ...[...shown.keys()].filter((name) => !used.includes(name)).sort()];
  const sections = names.flatMap((name) => sectionOf(name, word));
  list.replaceChildren(...(sections.length > 0 ? sections : [el('p', { class: 'muted' }, 'Nothing here has this in it.')]));
  if (focused !== undefined) list.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function sectionOf(name: string, word: string): readonly HTMLElement[] {
  const provider = shown.get(name);
  if (!provider) return [];
  const isNamed = name.includes(word);
  const objects = provider.objects.filter(
    (one) => isNamed || JSON.stringify([one.name, one.kind, one.fields]).toLowerCase().includes(word),
  );
  if (!isNamed && objects.length === 0) return [];
  const count = provider.objects.length === 1 ? '1 object' : `${provider.objects.length} objects`;
  const section = foldable(name, 'provider', [el('span', { class: 'name' }, name), el('span', { class: 'muted small' }, count)]);
  if (!section.open) return [section];
  section.append(...valuesOf(provider));
  for (const [kind, some] of Map.groupBy(objects, (object) => object.kind)) {
    section.append(el('h3', {}, kind), ...some.map((object) => objectOf(name, object)));
  }
  if (objects.length === 0) section.append(el('p', { class: 'muted small' }, 'It holds nothing.'));
  return [section];
}

function valuesOf({ values }: ProviderShown): readonly HTMLElement[] {
  const entries = Object.entries(values);
  if (entries.length === 0) return [];
  const words = entries.flatMap(([param, value], i) => [i > 0 ? ' · ' : '', el('code', {}, `${param}: ${value}`)]);
  return [el('p', { class: 'muted small' }, 'A plan may name  ', ...words)];
}

function objectOf(provider: string, object: Shown): HTMLElement {
  const key = keyOf(provider, object);
  const mark = news.get(key);
  const head = [el('span', { class: 'name' }, object.name), ...(mark === undefined ? [] : [el('span', { class: `mark ${mark}` }, mark)])];
  const item = foldable(key, 'object', head);
  if (!item.open) return item;
  const rows = Object.entries(object.fields).map(([field, value]) => fieldOf(provider, object, field, value));
  const remove = el(
    'button',
    { type: 'button', 'data-key': `${key} remove`, click: () => void give({ do: 'remove', provider, path: object.path }) },
    `Delete ${object.name}`,
  );
  item.append(
    el('div', { class: 'fields' }, ...rows),
    el('p', {}, remove, el('span', { class: 'muted small' }, ' as a person does in the console')),
  );
  return item;
}

/** A field and its value, which a person can write over. The text is JSON where it is no plain text. */
function fieldOf(provider: string, object: Shown, field: string, value: unknown): HTMLElement {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const input = el('input', { value: text ?? '', 'aria-label': `${field} of ${object.name}`, spellcheck: 'false', autocomplete: 'off' });
  const form = el('form', { class: 'field' }, el('span', { class: 'label' }, field), input);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const written = input.value;
    input.blur();
    void give({ do: 'change', provider, path: object.path, field, value: typeof value === 'string' ? written : jsonOr(written) });
  });
  input.addEventListener('input', () => form.classList.toggle('edited', input.value !== text));
  form.append(el('button', { type: 'submit' }, 'Change'));
  return form;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function foldable(key: string, kind: string, head: readonly HTMLElement[]): HTMLDetailsElement {
  const summary = el('summary', { 'data-key': key }, ...head);
  const made = el('details', { class: kind, open: unfolded.has(key) }, summary);
  summary.addEventListener('click', (event) => {
    event.preventDefault();
    if (!unfolded.delete(key)) unfolded.add(key);
    draw();
  });
  return made;
}

filter.addEventListener('input', draw);
