import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/output.ts';
import { isMap } from '../../src/core/json.ts';
import { once } from '../../src/core/once.ts';
import { runApply, runClosed, runPlan } from '../../src/engine/run.ts';
import type { RunWorld } from '../../src/engine/types.ts';
import { markOf } from '../../src/host/comment-mark.ts';
import { openPulls, shaA } from '../lifecycle/pulls.ts';
import { lines, planOf } from '../lifecycle/shop.ts';

// A secret is any text that somebody chose, also one of our own words.

/** Long enough to be masked. */
const words = [
  // Verdicts, drifts, states and statuses.
  ...['create', 'update', 'replace', 'delete', 'refused', 'reconcile', 'forget', 'pending', 'changed', 'missing', 'settled', 'failed'],
  ...['skipped', 'interrupted', 'waiting', 'complete', 'partial', 'recording', 'creating', 'observing', 'awaiting', 'recordingIntent'],
  // Codes, the environment, the scope and what is made of them.
  ...['PROVIDER_INVALID', 'DEPENDENCY_FAILED', 'INTERNAL', 'SECRET_UNRESOLVED', 'preview', 'pr-1200', 'preview/pr-1200'],
  ...['pilotfish-receipts', 'pilotfish-receipts/preview/pr-1200', 'pilotfish'],
  // Lines, adapters, operations, outputs and fields.
  ...[
    'variable',
    'cname-record',
    'vercel',
    'cloudflare',
    'cloudflare.dns_cname',
    'resource',
    'hostname',
    'target',
    '/content',
    'SESSION_KEY',
  ],
  // Members of documents and events.
  ...['schema', 'command', 'environment', 'verdict', 'summary', 'detail', 'digest', 'outputs', 'receipt', 'branch', 'commit', 'requests'],
  ...['lockPushes', 'warnings', 'orphans', 'changes', 'before', 'literal', 'resolved', 'inputs', 'status', 'machine', 'coordinator'],
  // What a number, a time, a commit, a table or a terminal is made of.
  ...[
    '200000',
    '000000',
    '2026-11-25',
    '1.5e10',
    'aaaaaa',
    '| --- |',
    '######',
    '| Line |',
    '```text',
    '<details>',
    '[0m\u001b[1m',
    '[33;1m',
    'undefined',
  ],
  ...['"schema": 1', '{\n  "schema"', '": true,'],
] as const;
const short = ['true', 'null', 'none', 'apply', 'plan', 'line', '200', 'id', '***', 'ok', 'dns'] as const;
const plain = 'kV9-41fd-77c2-9ae0-zz';

/** So many secrets are tried in one life. */
const atOnce = 4;
const names = Array.from({ length: atOnce }, (_, i) => (i === 0 ? 'variable' : `variable-${i}`));
const keys = names.map((_, i) => (i === 0 ? 'SESSION_KEY' : `SESSION_KEY_${i}`));

const plan = planOf(
  lines.dns.replace('id: dns', 'id: cname-record'),
  ...names.map(
    (name, i) => `
  - id: ${name}
    adapter: vercel
    op: env
    project: shop
    key: ${keys[i]}
    value: { secret: env://CHOSEN_${i} }
    git_branch: feature
    depends_on: [cname-record]`,
  ),
);

/** A job of `acme/shop` with secrets of these texts. */
async function open(secrets: readonly string[]) {
  const shop = await openPulls(plan);
  onTestFinished(() => shop.close());
  shop.pulls.world.open(1200, shaA);
  shop.world.vercel.world.push('feature', shaA);
  const { dispatcher, clock } = shop;
  const chosen = Object.fromEntries(secrets.map((secret, i) => [`CHOSEN_${i}`, secret]));
  const pilotfish = async (line: string) => {
    const text = { out: '', error: '' };
    const screen = (name: keyof typeof text): Writable =>
      new Writable({
        write: (part: Buffer, _, done) => {
          text[name] += part.toString();
          done();
        },
      });
    const over = (given: RunWorld = {}): RunWorld => ({ ...given, dispatcher, clock, store: shop.store(), repository: null });
    const world = {
      cwd: shop.folder,
      env: { PATH: process.env.PATH, HOME: shop.folder, ...shop.env, GITHUB_REPOSITORY: 'acme/shop', ...chosen },
      stdout: screen('out'),
      stderr: screen('error'),
      signals: new EventEmitter(),
      now: () => clock.mono(),
      exit: null,
      network: { dispatcher, clock },
      loadRunner: () =>
        Promise.resolve({
          runPlan: (request: Parameters<typeof runPlan>[0], given?: RunWorld) => runPlan(request, over(given)),
          runApply: (request: Parameters<typeof runApply>[0], given?: RunWorld) => runApply(request, over(given)),
          runClosed: (request: Parameters<typeof runClosed>[0], given?: RunWorld) => runClosed(request, over(given)),
        }),
    };
    const argv = [...line.split(' '), '--pr=1200'];
    return { code: await main(argv, world, createOutput(world, argv)), ...text };
  };
  const comment = (): string => shop.pulls.world.comments(1200).at(-1)?.body ?? '';
  return { shop, pilotfish, comment };
}

/** Whatever holds words of others, or what differs from one run to the next. */
const loose = new Set([
  'detail',
  'why',
  'subject',
  'text',
  'fix',
  'value',
  'url',
  'ms',
  'at',
  'time',
  'runId',
  'run',
  'commit',
  'digest',
  'lock',
  'actor',
]);
const looseIn: { readonly [name: string]: (value: unknown) => unknown } = {
  outputs: (all) => mapped(all, (outputs) => mapped(outputs, () => '')),
  warnings: (all) => (Array.isArray(all) ? all.length : all),
  notes: (all) => (Array.isArray(all) ? all.length : all),
};
const mapped = (map: unknown, change: (value: unknown) => unknown): unknown =>
  isMap(map) ? Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)])) : map;

/** The structure of a document or an event. Lines that wait for the same one may come in any order. */
function skeleton(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(skeleton).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, loose.has(name) ? '' : (looseIn[name]?.(member) ?? skeleton(member))]),
  );
}

const events = (stream: string): readonly string[] =>
  stream
    .trim()
    .split('\n')
    .map((line) => JSON.stringify(skeleton(JSON.parse(line))))
    .toSorted();

/** A text with its times cut, its space collapsed, and the words masked wherever they still stand. */
const shown = (text: string, words: readonly string[]): string => {
  const cut = text
    .replace(/\b\d+(\.\d+)? ?(ms|s)\b/g, '')
    .replace(/\b[0-9a-f]{7,}\b/g, '')
    .replace(/20\d\d-\d\d-\d\d[T ][\d:.]+Z?|\d\d:\d\d:\d\d/g, '');
  return words
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, word) => masked.replaceAll(word, '***'), cut)
    .replace(/[\s-]+/g, ' ')
    .replace(/(\*\*\*)+/g, '***');
};

/** Everything that a person and a program are told of a plan, a refused apply, an apply, another one, and a destroy. */
async function life(secrets: readonly string[]) {
  const { shop, pilotfish, comment } = await open(secrets);
  const planned = await pilotfish('plan --events --comment');
  const planComment = comment();
  const said = { error: { code: 'bad_request', message: `the variable was refused: ${secrets.map((secret) => `<${secret}>`).join('')}!` } };
  shop.world.vercel.faults.times(9, ({ method }) => method === 'POST', 400, said);
  const refused = await pilotfish('apply --json --progress=plain');
  shop.world.vercel.faults.clear();
  const applied = await pilotfish('apply --progress=plain --comment');
  const applyComment = comment();
  const again = await pilotfish('apply --json --events --trace=trace');
  const trace = await Promise.all(['events.jsonl', 'trace.json'].map((name) => readFile(join(shop.folder, 'trace', name), 'utf8')));
  const ledger = await shop.ledger('pr-1200');
  const values = () => keys.map((key) => shop.world.vercel.world.env(key)?.value);
  const sent = values();
  const destroyed = await pilotfish('apply --destroy --json --progress=none');
  return {
    planned,
    planComment,
    refused,
    applied,
    applyComment,
    again,
    trace,
    destroyed,
    sent,
    ledger,
    left: values(),
  };
}

/** What the ledger says, without what is hashed or timed. */
const facts = ({ records, receipt, history }: Awaited<ReturnType<typeof life>>['ledger']): unknown => ({
  records: [...records.values()]
    .toSorted((a, b) => (a.line < b.line ? -1 : 1))
    .map(({ line, adapter, op, recipe, key, destroy, reach, outputs, fields, after }) => ({
      ...{ line, adapter, op, recipe, key, destroy, reach, after },
      ...{ outputs: Object.keys(outputs), fields: Object.keys(fields) },
    })),
  receipt: skeleton(receipt && { ...receipt, startedAt: '' }),
  history: history.map(({ outcome, pr, repository }) => ({ outcome, pr, repository })),
});

/** The words in groups of as many as one life takes; the last group begins again with the first words. */
const groups = (words: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(words.length / atOnce) }, (_, i) => names.map((_, j) => words[(i * atOnce + j) % words.length] ?? plain));

describe('a secret that is a word of ours', () => {
  const plains = names.map((_, i) => `${plain}-${i}`);
  const none = names.map(() => undefined);
  /** Made within the first test that asks for it, which closes its world. */
  const control = once(() => life(plains));

  it('is told as any other one', async () => {
    const { planned, refused, applied, again, destroyed, sent, left } = await control();
    expect([planned.code, refused.code, applied.code, again.code, destroyed.code]).toEqual([0, 1, 0, 0, 0]);
    expect([sent, left]).toEqual([plains, none]);
    expect(words.length).toBeGreaterThan(60);
  });

  it.each(groups(words))('%j and others change no structure of anything that is told or stored', async (...chosen) => {
    const [usual, told] = [await control(), await life(chosen)];
    expect([told.planned.code, told.refused.code, told.applied.code, told.again.code, told.destroyed.code]).toEqual([0, 1, 0, 0, 0]);
    expect([told.sent, told.left]).toEqual([chosen, none]);

    for (const name of ['refused', 'again', 'destroyed'] as const)
      expect(skeleton(JSON.parse(told[name].out)), name).toEqual(skeleton(JSON.parse(usual[name].out)));
    for (const name of ['planned', 'again'] as const) expect(events(told[name].error), name).toEqual(events(usual[name].error));
    const [[toldEvents = '', toldTrace = ''], [usualEvents = '']] = [told.trace, usual.trace];
    expect(events(toldEvents)).toEqual(events(usualEvents));
    expect(JSON.parse(toldTrace)).toHaveProperty('traceEvents');
    expect(facts(told.ledger)).toEqual(facts(usual.ledger));

    for (const comment of [told.planComment, told.applyComment])
      expect(markOf(comment)).toMatchObject({ environment: 'preview', scope: 'pr-1200', plan: null });
    for (const name of ['planned', 'applied'] as const) expect(shown(told[name].out, chosen)).toBe(shown(usual[name].out, chosen));
    for (const line of [...names, 'cname-record']) {
      expect(told.planned.out).toContain(line);
      expect(told.applied.out).toContain(line);
      expect(told.planComment).toContain(line);
    }

    const { detail } = JSON.parse(told.refused.out).error;
    expect(detail).toContain('***>!');
    for (const word of chosen) {
      expect(detail).not.toContain(`<${word}>`);
      expect(told.refused.error).not.toContain(`<${word}>`);
    }
  });

  it.each(short.map((word) => [word]))('%j is refused before anything is written, because nothing could mask it', async (word) => {
    const { shop, pilotfish } = await open([word, ...names.slice(1).map((_, i) => `${plain}-${i}`)]);
    const { code, out } = await pilotfish('apply --json');
    const document = JSON.parse(out);
    expect([code, document.error.code]).toEqual([1, 'SECRET_UNRESOLVED']);
    expect(document.lines.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`)).toContain('variable failed');
    expect(shop.world.vercel.world.env('SESSION_KEY')).toBeUndefined();
  });
});
