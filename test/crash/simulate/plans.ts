import { type Collection, pageSize } from './provider.ts';
import type { Random } from './random.ts';

/** What a line wants: plain data, so that a failing plan can be cut down and shown. */
export interface LineSpec {
  readonly id: string;
  readonly kind: 'thing' | 'key' | 'entry' | 'note';
  /** Collection or box. */
  readonly place: string;
  readonly note: number;
  /** The immutable field, where the collection has one. */
  readonly fixed: number;
  /** The line whose output stands in a field. */
  readonly uses: { readonly line: string; readonly output: 'id' | 'secret' } | null;
  readonly after: readonly string[];
  readonly keep: boolean;
}

export const boxes = ['mailbox', 'toolbox'] as const;

/** Collections of every kind; which line stands in which the seed decides. */
export function drawCollections(random: Random): readonly Collection[] {
  const draw = (name: string, more: Partial<Collection>): Collection => ({
    name,
    unique: random.chance(0.5),
    tellsMade: random.chance(0.4),
    lag: random.chance(0.2) ? random.int(1, 4) : 0,
    once: false,
    fixed: false,
    shifts: random.chance(0.3),
    replays: random.chance(0.3),
    shouts: false,
    doubles: false,
    cap: pageSize,
    ...more,
  });
  return [draw('plain', {}), draw('fixed', { fixed: true, unique: false }), draw('once', { once: true, unique: random.chance(0.3) })];
}

/** 2 to 40 lines; most plans are small, because most defects show in small ones and more of them fit into a second. */
export function drawPlan(random: Random): readonly LineSpec[] {
  const many = random.next();
  const size = many < 0.75 ? random.int(2, 4) : many < 0.98 ? random.int(5, 10) : random.int(11, 40);
  const lines: LineSpec[] = [];
  for (let i = 0; i < size; i += 1) lines.push(drawLine(`l${i}`, lines, random));
  return lines;
}

function drawLine(id: string, before: readonly LineSpec[], random: Random): LineSpec {
  const roll = random.next();
  const kind = roll < 0.5 ? 'thing' : roll < 0.62 ? 'key' : roll < 0.9 ? 'entry' : 'note';
  const place = kind === 'thing' ? random.pick(['plain', 'fixed', 'once', 'once']) : kind === 'entry' ? random.pick(boxes) : '';
  const secrets = before.filter((line) => line.place === 'once');
  const things = before.filter((line) => line.kind === 'thing');
  const of = kind === 'thing' && random.chance(0.5) ? random.among(secrets) : undefined;
  const named = kind !== 'entry' && random.chance(0.3) ? random.among(things) : undefined;
  const uses = of ? ({ line: of.id, output: 'secret' } as const) : named ? ({ line: named.id, output: 'id' } as const) : null;
  const other = random.chance(0.2) ? random.among(before) : undefined;
  return { id, kind, place, note: 0, fixed: 0, uses, after: other ? [other.id] : [], keep: kind === 'thing' && random.chance(0.08) };
}

/** The plan after somebody worked on it: values changed, lines gone, lines new. */
export function changePlan(lines: readonly LineSpec[], random: Random): readonly LineSpec[] {
  const gone = random.chance(0.25) ? random.among(lines)?.id : undefined;
  const isUsed = (id: string): boolean => lines.some((line) => line.uses?.line === id || line.after.includes(id));
  const left = gone !== undefined && lines.length > 1 && !isUsed(gone) ? lines.filter((line) => line.id !== gone) : lines;
  const changed = left.map((line) => {
    const note = random.chance(0.3) ? line.note + 1 : line.note;
    const fixed = line.place === 'fixed' && random.chance(0.25) ? line.fixed + 1 : line.fixed;
    return { ...line, note, fixed };
  });
  return random.chance(0.2) ? [...changed, drawLine(`n${random.int(1000, 9999)}`, changed, random)] : changed;
}

/** The plan after somebody gave lines other names, which are other objects, and took lines out. Those that used them go on with others. */
export function movePlan(lines: readonly LineSpec[], random: Random): readonly LineSpec[] {
  const lost = random.chance(0.5) ? random.among(lines)?.id : undefined;
  const left = lost !== undefined && lines.length > 1 ? without(lines, lost) : lines;
  const ids = new Map(left.map(({ id }) => [id, random.chance(0.25) ? `m${random.int(1000, 9999)}` : id]));
  const named = (id: string): string => ids.get(id) ?? id;
  return left.map(({ uses, ...line }) => ({
    ...line,
    id: named(line.id),
    uses: uses && { ...uses, line: named(uses.line) },
    after: line.after.map(named),
  }));
}

/** Drops a line and whatever cannot stand without it. */
export function without(lines: readonly LineSpec[], id: string): readonly LineSpec[] {
  return lines
    .filter((line) => line.id !== id)
    .map((line) => ({ ...line, uses: line.uses?.line === id ? null : line.uses, after: line.after.filter((one) => one !== id) }));
}

export const nameOf = (scope: string, line: LineSpec): string => `${scope}-${line.id}`;

/** The plan file. */
export function planText(lines: readonly LineSpec[], collections: ReadonlyMap<string, Collection>): string {
  const block = '{ base_url: "https://workshop.example", auth: { bearer_env: WORKSHOP_TOKEN } }';
  return `version: 1\nproviders: { http: { workshop: ${block} } }\nchanges:\n${lines.map((line) => lineText(line, collections)).join('')}`;
}

function lineText(line: LineSpec, collections: ReadonlyMap<string, Collection>): string {
  const head = (op: string): string =>
    `  - { id: ${line.id}, adapter: http, op: ${op}, api: workshop${line.after.length > 0 ? `, depends_on: [${line.after.join(', ')}]` : ''}${line.keep ? ', destroy: keep' : ''}`;
  const name = `"\${ctx.scope}-${line.id}"`;
  const key = `"/keys/\${ctx.scope}-${line.id}"`;
  const used = line.uses ? `{ from: ${line.uses.line}.${line.uses.output} }` : null;
  switch (line.kind) {
    case 'thing': {
      const rules = collections.get(line.place);
      const path = `/things/${line.place}`;
      const secret = line.uses?.output === 'secret';
      const token = used && secret ? `, token: ${used}` : '';
      const note = used && !secret ? used : `note-${line.note}`;
      return `${head('resource')}, find: { path: ${path}, list_path: /items, match: { name: ${name} }, ${rules?.shifts ? `page: { kind: offset, param: start, size: ${pageSize} }` : 'next: /next, cursor_param: after'} }, create: { path: ${path}${rules?.replays ? ', idempotency_key: true' : ''} }, update: { path: "${path}/{id}" }, delete: { path: "${path}/{id}" }, fields: { name: ${name}, note: ${note}, kind: k${line.fixed}${token} }${rules?.fixed ? ', immutable: [kind]' : ''}${rules?.unique ? ', coexist: false' : ''}${token === '' ? '' : ', compare: { token: { hidden: always } }'}${rules?.tellsMade ? ', created_at: /made' : ''}${rules && rules.lag > 0 ? `, settle: ${rules.lag}` : ''}${rules?.once ? ', outputs: { secret: { path: /secret, sensitive: true, once: true } }' : ''} }\n`;
    }
    case 'key':
      return `${head('resource')}, read: { path: ${key} }, create: { path: ${key}, method: PUT }, update: { path: "/keys/{id}", method: PUT }, delete: { path: "/keys/{id}" }, fields: { note: ${used ?? `note-${line.note}`} }, id_path: /name }\n`;
    case 'entry':
      return `${head('list_item')}, parent: { path: /boxes/${line.place}, method: PATCH, send: [] }, list_path: /entries, item: ${name} }\n`;
    case 'note':
      return `${head('action')}, trigger: { text: ${used ?? `note-${line.note}`} }, request: { path: "/notes/\${ctx.scope}-${line.id}", body: { text: ${name} } } }\n`;
  }
}
