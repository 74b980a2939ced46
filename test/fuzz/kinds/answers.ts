import { join } from 'node:path';
import { decodeBody } from '../../../src/http/encodings/decode.ts';
import { lines, planOf } from '../../lifecycle/shop.ts';
import { mutateBytes } from '../bytes.ts';
import { addForeign, foreignProblem } from '../foreign.ts';
import { bytesOf, type Input, type Kind, type Outcome, part } from '../kind.ts';
import { duplicateProblem, judge, writtenByPlan } from '../oracle.ts';
import type { Random } from '../random.ts';
import { mutateJson } from '../structure.ts';
import { freshWorld, invoke, lay, type Sent, type World } from '../world.ts';

/** One honest answer, as a lie is made of it. */
interface Answer {
  readonly sent: Sent;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer;
}

/** A run whose providers lie: after so many honest commands, this one hears the lie. */
interface Scene {
  readonly plan: string;
  readonly before: readonly string[];
  readonly command: string;
  readonly answers: readonly Answer[];
}

const common = ['--scope', 'pr-12', '--branch', 'feature', '--sha', '1'.repeat(40), '--json'];
const hook = `
  - id: hook
    recipe: github.repo_webhook
    repo: acme/shop
    url: https://\${ctx.scope}.acme.example`;
const plans: readonly string[] = [
  planOf(lines.dns),
  planOf(lines.callback),
  planOf(lines.payments),
  planOf(hook),
  planOf(lines.dns, lines.alias),
  planOf(`
  - id: database
    adapter: neon
    op: branch
    project_id: quiet-river-12345678
    name: shop-\${ctx.scope}`),
  planOf(`
  - id: variable
    adapter: vercel
    op: env
    project: shop
    key: PRICE
    value: "7"
    git_branch: feature`),
];

let scenes: readonly Scene[] = [];
let place = '';

/** Applies or plans honestly, so far. */
async function open(scene: Pick<Scene, 'plan' | 'before'>): Promise<World> {
  const world = freshWorld(3);
  addForeign(world);
  await lay(place, { 'release.plan.yaml': scene.plan });
  for (const command of scene.before) await invoke(world, { folder: place, argv: [...command.split(' '), ...common] });
  return world;
}

async function rehearse(scene: Omit<Scene, 'answers'>): Promise<Scene> {
  const world = await open(scene);
  const answers: Answer[] = [];
  world.answer = async (_number, sent, honest) => {
    const { status } = honest;
    answers.push({ sent, status, headers: Object.fromEntries(honest.headers), body: Buffer.from(await honest.clone().arrayBuffer()) });
    return honest;
  };
  await invoke(world, { folder: place, argv: [...scene.command.split(' '), ...common] });
  return { ...scene, answers };
}

/** An answer that a provider never gave: another status, other headers, a body that was changed, cut or made up. */
export const answersKind: Kind = {
  name: 'provider answers',
  share: 12,
  prepare: async (folder) => {
    place = join(folder, 'answers');
    const all: Scene[] = [];
    for (const plan of plans) {
      all.push(await rehearse({ plan, before: [], command: 'apply' }));
      all.push(await rehearse({ plan, before: ['apply'], command: 'apply' }));
      all.push(await rehearse({ plan, before: ['apply'], command: 'plan' }));
      all.push(await rehearse({ plan, before: ['apply'], command: 'apply --destroy' }));
    }
    scenes = all.filter(({ answers }) => answers.length > 0);
  },
  make: (random) => {
    const at = random.int(scenes.length);
    const scene = scenes[at];
    const number = random.int(scene?.answers.length ?? 0);
    const honest = scene?.answers[number];
    if (!scene || !honest) throw new Error('there is no scene');
    const lie = lieOf(honest, random, scene.answers);
    const parts = [part('status', String(lie.status)), part('headers', JSON.stringify(lie.headers)), part('body', lie.body)];
    return { how: `${at} ${number}`, parts };
  },
  run: runLie,
};

const statuses: readonly [number, ...number[]] = [
  200, 201, 202, 204, 206, 299, 301, 302, 307, 400, 401, 402, 403, 404, 405, 406, 409, 410, 412, 413, 418, 422, 423, 425, 428, 429, 451,
  500, 501, 502, 503, 504, 507, 511, 520, 599,
];
const oddHeaders: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['retry-after', '99999999999'],
  ['retry-after', '-1'],
  ['retry-after', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['retry-after', 'soon'],
  ['retry-after', '0'],
  ['x-ratelimit-reset', '99999999999'],
  ['x-ratelimit-remaining', '0'],
  ['ratelimit-reset', '1e99'],
  ['content-type', 'text/html'],
  ['content-type', 'application/xml'],
  ['content-type', 'application/json; charset=utf-7'],
  ['content-type', ''],
  ['link', '<https://evil.example/next>; rel="next"'],
  ['link', '</x?page=2>; rel="next"'],
  ['link', `${'<a>; rel="next", '.repeat(500)}`],
  ['location', 'https://evil.example/'],
  ['location', '//'],
  ['etag', '"'.repeat(500)],
];

function lieOf(honest: Answer, random: Random, all: readonly Answer[]): Omit<Answer, 'sent'> {
  let { status, headers, body } = honest;
  const others = all.map((one) => one.body);
  if (random.chance(0.3)) status = random.pick(statuses);
  if (random.chance(0.2)) {
    const [name, value] = random.pick(oddHeaders);
    headers = { ...headers, [name]: value };
  }
  const roll = random.next();
  if (roll < 0.3) body = mutateBytes(body, random, others);
  else if (roll < 0.75) body = Buffer.from(JSON.stringify(mutateJson(parsed(body), random, others.map(parsed))) ?? '');
  else if (roll < 0.85) body = random.any(others) ?? body;
  else if (roll < 0.92) body = quoting(honest.sent, random);
  else if (status === honest.status) status = random.pick(statuses);
  return { status, headers, body };
}

/** Providers quote what they were sent when they complain. */
function quoting(sent: Sent, random: Random): Buffer {
  const credential = sent.headers.find(([name]) => name === 'authorization')?.[1].replace(/^\w+ /, '');
  const said = credential ?? (new URLSearchParams(sent.body).get('client_secret') || sent.body);
  const text = random.pick([
    said,
    `${'x'.repeat(290)}${said}`,
    Buffer.from(said).toString('base64'),
    encodeURIComponent(said),
    [...said].join('\u200b'),
  ]);
  return Buffer.from(JSON.stringify({ message: `not allowed: ${text}`, error: { message: text }, errors: [{ detail: text }] }));
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
};

async function runLie(input: Input): Promise<Outcome> {
  const [at, target] = input.how.split(' ').map(Number);
  const scene = scenes[at ?? -1];
  const honest = scene?.answers[target ?? -1];
  if (!scene || !honest) throw new Error('there is no such scene');
  const world = await open(scene);
  world.begin();
  const from = world.sent.length;
  const commits = world.remote.commits.length;
  const status = Number(bytesOf(input, 'status')?.toString('latin1'));
  const lie = { status: status >= 200 && status <= 599 ? status : 200, body: bytesOf(input, 'body') ?? Buffer.alloc(0) };
  world.answer = (number, _sent, answer) => (number - from === target ? response(lie, headersOf(input)) : answer);
  const ended = await invoke(world, { folder: place, argv: [...scene.command.split(' '), ...common] });
  const outcome = judge(ended, world, { json: true });
  const isPlan = scene.command.startsWith('plan');
  const written = isPlan ? (world.remote.commits.length > commits ? 'plan wrote to the ledger' : writesOfPlan(world)) : null;
  const found = outcome.finding ?? written ?? (isBelievable(honest, lie) ? null : foreignProblem(world));
  if (found !== null || isPlan || scene.command.includes('destroy')) return { ...outcome, finding: found };
  // What the lie led to shows when everybody tells the truth again.
  world.answer = (_number, _sent, answer) => answer;
  const again = judge(await invoke(world, { folder: place, argv: ['apply', ...common] }), world, { json: true });
  const doubled = isBelievable(honest, lie) ? null : duplicateProblem(world);
  const orphaned =
    isGarbled(honest, lie) && again.codes.includes('RESOURCE_FOREIGN') ? 'an object that was made is taken for foreign' : null;
  return { ...outcome, finding: again.finding ?? doubled ?? orphaned };
}

const writesOfPlan = (world: World): string | null =>
  world.writes().every((one) => one.endsWith('/oauth/token')) ? null : writtenByPlan(world);

/**
 * A read that succeeds, in the form that it has, and tells an untruth: a list without our object, or an object without its list. No
 * client can tell that from somebody having removed it.
 */
function isBelievable(honest: Answer, lie: { readonly status: number; readonly body: Buffer }): boolean {
  if (honest.sent.method !== 'GET' || lie.status >= 300) return false;
  const [then, now] = [honest.body, lie.body].map((body) => tryDecode(body));
  return lists(then).some((path) => {
    const holder = path.slice(0, -1).reduce<unknown>((value, key) => member(value, key), now);
    const last = path.at(-1);
    const list = last === undefined ? now : member(holder, last);
    return Array.isArray(list) || (last !== undefined && typeof holder === 'object' && holder !== null && (list ?? null) === null);
  });
}

/** A write that was done and whose answer says so, in a form that tells nothing more. */
function isGarbled(honest: Answer, lie: { readonly status: number; readonly body: Buffer }): boolean {
  const isWrite = !['GET', 'HEAD'].includes(honest.sent.method) && !honest.sent.url.endsWith('/oauth/token');
  const body = tryDecode(lie.body);
  return isWrite && lie.status < 300 && (typeof body !== 'object' || body === null);
}

function tryDecode(body: Buffer): unknown {
  try {
    return decodeBody(body, 'application/json');
  } catch {
    return undefined;
  }
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;

/** Where the outermost lists stand. */
function lists(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (Array.isArray(value)) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => lists(item, [...path, key]));
}

function response(lie: { readonly status: number; readonly body: Buffer }, headers: Headers): Response {
  const isEmpty = [204, 205, 304].includes(lie.status);
  return new Response(isEmpty ? null : new Uint8Array(lie.body), { status: lie.status, headers });
}

/** Headers as far as HTTP can carry them. */
function headersOf(input: Input): Headers {
  const headers = new Headers();
  const given = parsed(bytesOf(input, 'headers') ?? Buffer.from('{}'));
  for (const [name, value] of Object.entries(typeof given === 'object' && given !== null ? given : {})) {
    try {
      headers.set(name, String(value));
    } catch {
      // A name or value that cannot be sent is not sent.
    }
  }
  return headers;
}
