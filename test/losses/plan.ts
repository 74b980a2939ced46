import type { Random } from '../crash/simulate/random.ts';

/** One line of a plan: plain data, so that a failing history can be cut down and shown. */
export interface Line {
  readonly id: string;
  /** The object's name, apart from the scope. A renamed line keeps it. */
  readonly name: string;
  /** `once`: the create answer alone shows a secret. `entry`: an entry of a list that others share. */
  readonly kind: 'thing' | 'once' | 'key' | 'entry';
  readonly note: number;
}

/** A repository's own part of the names at the providers, and the list with its entries. */
export interface Shop {
  readonly slug: string;
  readonly prefix: string;
  readonly box: string;
}

/** Both use one account at the provider. */
export const shops: readonly [Shop, Shop] = [
  { slug: 'acme/shop', prefix: 'shop', box: 'mailbox' },
  { slug: 'acme/blog', prefix: 'blog', box: 'toolbox' },
];

export const nameOf = (shop: Shop, scope: string, line: Pick<Line, 'name'>): string => `${shop.prefix}-${scope}-${line.name}`;

/** The repository and the scope that a name of an object belongs to; `null` for a name that no line makes. */
export function ownerOf(name: string): { readonly shop: Shop; readonly pull: number } | null {
  const [, prefix, pull] = /^([a-z]+)-pr-(\d+)-/.exec(name) ?? [];
  const shop = shops.find((one) => one.prefix === prefix);
  return shop && pull !== undefined ? { shop, pull: Number(pull) } : null;
}

export function drawLines(random: Random): readonly Line[] {
  const lines: Line[] = [];
  const count = random.int(1, 3);
  for (let i = 0; i < count; i += 1) lines.push(drawLine(`l${i}`, random));
  return lines;
}

const drawLine = (id: string, random: Random): Line => ({
  id,
  name: id,
  kind: random.pick(['thing', 'thing', 'once', 'key', 'entry']),
  note: 0,
});

/** The plan after a push: a line lost, renamed, moved, changed, or new. */
export function changeLines(lines: readonly Line[], random: Random): readonly Line[] {
  const at = random.int(0, lines.length - 1);
  const line = lines[at];
  if (!line) return lines;
  const fresh = `n${random.int(100, 999)}`;
  switch (random.pick(['lose', 'rename', 'move', 'change', 'add', 'same'])) {
    case 'lose':
      return lines.length > 1 ? lines.toSpliced(at, 1) : lines;
    case 'rename':
      return lines.with(at, { ...line, id: fresh });
    case 'move':
      // The line has another object from now on, and its old object no line.
      return lines.with(at, { ...line, name: fresh });
    case 'change':
      return lines.with(at, { ...line, note: line.note + 1 });
    case 'add':
      return [...lines, drawLine(fresh, random)];
    default:
      return lines;
  }
}

/** The label that keeps a preview whose time is over. */
export const keepLabel = 'keep-preview';

/** The plan file. */
export function planText(lines: readonly Line[], shop: Shop, idleHours: number | null): string {
  const block = '{ base_url: "https://workshop.example", auth: { bearer_env: WORKSHOP_TOKEN } }';
  const rows = lines.map((line) => `${lineText(line, shop)}\n`).join('');
  const lifetime = idleHours === null ? '' : `lifetime: { idle: ${idleHours}h, label: ${keepLabel} }\n`;
  return `version: 1\n${lifetime}providers: { http: { workshop: ${block} } }\nchanges:\n${rows}`;
}

function lineText({ id, name, kind, note }: Line, shop: Shop): string {
  const head = (op: string): string => `  - { id: ${id}, adapter: http, op: ${op}, api: workshop`;
  const full = `${shop.prefix}-\${ctx.scope}-${name}`;
  switch (kind) {
    case 'thing':
    case 'once': {
      const path = `/things/${kind}`;
      const secret = kind === 'once' ? ', outputs: { secret: { path: /secret, sensitive: true, once: true } }' : '';
      return `${head('resource')}, find: { path: ${path}, list_path: /items, match: { name: "${full}" }, next: /next, cursor_param: after }, create: { path: ${path} }, update: { path: "${path}/{id}" }, delete: { path: "${path}/{id}" }, fields: { name: "${full}", note: note-${note}, kind: k0 }${secret} }`;
    }
    case 'key':
      return `${head('resource')}, read: { path: "/keys/${full}" }, create: { path: "/keys/${full}", method: PUT }, update: { path: "/keys/{id}", method: PUT }, delete: { path: "/keys/{id}" }, fields: { note: note-${note} }, id_path: /name }`;
    case 'entry':
      return `${head('list_item')}, parent: { path: /boxes/${shop.box}, method: PATCH, send: [] }, list_path: /entries, item: "${full}" }`;
  }
}
