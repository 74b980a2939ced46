import { join } from 'node:path';
import { isMap } from '../../../src/core/json.ts';
import { factText } from '../../../src/ledger/model/file-text.ts';
import type { Files } from '../../../src/ledger/stores/store.ts';
import { branch, lines, planOf } from '../../lifecycle/shop.ts';
import { mutateBytes } from '../bytes.ts';
import { addForeign, foreignProblem } from '../foreign.ts';
import { type Input, type Kind, type Outcome, type Part, part } from '../kind.ts';
import { duplicateProblem, judge, writtenByPlan } from '../oracle.ts';
import type { Random } from '../random.ts';
import { mutateJson } from '../structure.ts';
import { freshWorld, invoke, lay, replay, type Sent } from '../world.ts';

/** A ledger as a run left it, and the writes that brought the providers to where it says. */
interface Past {
  readonly plan: string;
  /** Each branch with its files: receipts and locks. */
  readonly branches: ReadonlyMap<string, Files>;
  readonly writes: readonly Sent[];
}

const plans: readonly string[] = [planOf(lines.dns, lines.alias, lines.callback), planOf(lines.dns, lines.logout), planOf(lines.payments)];
const common = ['--scope', 'pr-12', '--branch', 'feature', '--sha', '1'.repeat(40), '--json'];

/** Lives a past: an apply that ends, one that dies after so many writes, or one that was taken away again. */
async function live(folder: string, plan: string, end: number | 'whole' | 'destroyed'): Promise<Past> {
  const world = freshWorld();
  addForeign(world);
  await lay(folder, { 'release.plan.yaml': plan });
  let left = typeof end === 'number' ? end : Number.POSITIVE_INFINITY;
  const perish = (): void => {
    if (left <= 0) throw new Error('the process is dead');
  };
  world.remote.before = perish;
  for (const simulation of world.company.simulations) simulation.watch(perish);
  const writes: Sent[] = [];
  world.answer = (_number, sent, honest) => {
    if (!['GET', 'HEAD'].includes(sent.method) && honest.ok) {
      writes.push(sent);
      if (!sent.url.endsWith('/oauth/token')) left -= 1;
    }
    perish();
    return honest;
  };
  await invoke(world, { folder, argv: ['apply', ...common] });
  if (end === 'destroyed') await invoke(world, { folder, argv: ['apply', '--destroy', ...common] });
  return { plan, branches: new Map([...world.remote.branches].map(([name, { files }]) => [name, withoutProcess(files)])), writes };
}

/** The holder names this process, which would make equal inputs differ. */
const withoutProcess = (files: Files): Files =>
  new Map([...files].map(([path, text]) => [path, text.replace(/"holder": "[^"]*"/, '"holder": "runner/1"')]));

let pasts: readonly Past[] = [];
let place = '';

/** A receipts branch or a lock that was damaged, cut, mixed up or written by something else. */
export const ledgerKind: Kind = {
  name: 'ledger',
  share: 14,
  prepare: async (folder) => {
    place = join(folder, 'ledger');
    const all: Past[] = [];
    for (const plan of plans) for (const end of ['whole', 1, 2, 'destroyed'] as const) all.push(await live(place, plan, end));
    pasts = all;
  },
  make: (random) => {
    const at = random.int(pasts.length);
    const past = pasts[at];
    if (!past) throw new Error('there is no past');
    const command = random.pick(['plan', 'apply', 'apply', 'apply --destroy', 'apply --destroy', 'plan --destroy']);
    const { parts, isForged } = damage(past, random);
    return { how: `${at}${isForged ? ' forged' : ''} ${command}`, parts };
  },
  run: runDamaged,
};

interface Damage {
  readonly parts: readonly Part[];
  /** The file bears a right checksum: whoever can do that can name any object, and is believed. */
  readonly isForged?: boolean;
}

/** One part a changed file, named `<branch>:<path>`; `-` before the name takes the file away. */
function damage(past: Past, random: Random): Damage {
  const files = [...past.branches].flatMap(([name, all]) => [...all].map(([path, text]) => ({ name: `${name}:${path}`, path, text })));
  const facts = files.filter(({ path }) => path.startsWith('records/') || path.startsWith('intents/'));
  const file = (random.chance(0.6) ? random.any(facts) : undefined) ?? random.any(files);
  if (!file) throw new Error('the past left nothing');
  const others = files.map(({ text }) => Buffer.from(text));
  const roll = random.next();
  if (roll < 0.3) return { parts: [part(file.name, mutateBytes(Buffer.from(file.text), random, others))] };
  if (roll < 0.5) return { parts: [part(file.name, restructured(file, files, random))] };
  if (roll < 0.9) return { parts: [part(file.name, resealed(restructured(file, files, random)))], isForged: true };
  if (roll < 0.95) return { parts: [part(`-${file.name}`, '')] };
  const other = random.any(files) ?? file;
  const odd = random.pick([
    'records/00/x.json',
    'records/__proto__/__proto__.json',
    'intents/zz/.json',
    'records/a/b/c/d.json',
    'constructor',
    'lease.json/x',
    `records/${'0'.repeat(300)}/0.json`,
  ]);
  return { parts: [part(random.chance(0.5) ? other.name : `${branch}:${odd}`, file.text)] };
}

/** The checksum of a fact made anew. */
function resealed(text: string): string {
  const value: unknown = text.startsWith('{\n  "sum"') ? JSON.parse(text) : null;
  if (!isMap(value)) return text;
  const { sum: _sum, ...fact } = value;
  return factText(fact);
}

function restructured(file: { path: string; text: string }, files: readonly { path: string; text: string }[], random: Random): string {
  if (file.path.endsWith('.jsonl')) {
    const rows = file.text.split('\n').filter((row) => row !== '');
    return rows.map((row) => JSON.stringify(mutateJson(JSON.parse(row), random))).join('\n');
  }
  const other = random.any(files.filter(({ path }) => path.endsWith('.json'))) ?? file;
  return `${JSON.stringify(mutateJson(JSON.parse(file.text), random, [JSON.parse(other.text)]), null, 2)}\n`;
}

async function runDamaged(input: Input): Promise<Outcome> {
  const [at, ...words] = input.how.split(' ');
  const isForged = words[0] === 'forged';
  const command = isForged ? words.slice(1) : words;
  const past = pasts[Number(at)];
  if (!past) throw new Error(`there is no past ${at}`);
  const world = freshWorld(2);
  addForeign(world);
  await replay(world, past.writes);
  world.begin();
  const branches = new Map([...past.branches].map(([name, files]) => [name, new Map(files)]));
  for (const { name, bytes } of input.parts) {
    const [, gone, on = '', path = ''] = /^(-?)([^:]*):(.*)$/.exec(name) ?? [];
    const files = branches.get(on) ?? new Map<string, string>();
    if (gone === '-') files.delete(path);
    else files.set(path, bytes.toString('utf8'));
    branches.set(on, files);
  }
  for (const [name, files] of branches) world.remote.branches.set(name, { head: 'commit-0', files });
  await lay(place, { 'release.plan.yaml': past.plan });
  const ended = await invoke(world, { folder: place, argv: [...command, ...common] });
  const outcome = judge(ended, world, {
    json: true,
    placeless: ({ code, detail }) => (code === 'LEDGER_CORRUPT' || code === 'LEDGER_VERSION') && !/pilotfish/.test(detail),
  });
  const written = command[0] === 'plan' ? writtenByPlan(world) : null;
  return { ...outcome, finding: outcome.finding ?? written ?? (isForged ? null : (foreignProblem(world) ?? duplicateProblem(world))) };
}
