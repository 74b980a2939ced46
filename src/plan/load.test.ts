import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { codesOf, failuresOf, fullContext, readText, withParams } from '../../test/support/read-plan.ts';
import { Failure, Failures, showPlace } from '../core/errors.ts';
import { isProduction } from './context.ts';
import { type PlanHead, planFromText, readPlan, readPlanHead } from './load.ts';
import { decodePlan } from './read-file.ts';
import { FromRef, SecretRef } from './types.ts';

const whole = `# yaml-language-server: $schema=./schema.json
version: 1
name: web
environments: [preview, staging, production]
receipts: git-branch
providers:
  neon: { project: p-1 }
  vercel:
  http:
    auth0:
      base_url: https://\${ctx.scope}.example.com
      auth: { oauth_client_credentials: { client_id_env: A_CLIENT_ID, client_secret_env: A_CLIENT_SECRET } }
changes:
  - id: db
    adapter: neon
    op: branch
    name: \${ctx.scope}
  - id: url
    recipe: idp_a.callback_url
    api: auth0
    destroy: keep
    credential: { from: db.token }
    depends_on: [db]
    url: { from: db.url }
  - id: raw
    adapter: http
    op: resource
    recipe: auth0.web_origin
    credential: { secret: "env://A_TOKEN" }
    environments: [preview]
  - id: prod
    adapter: vercel
    op: env
    environments: [production]
`;

describe('a plan', () => {
  const { plan, problems } = readText(whole);

  it('is read whole', () => {
    expect(problems).toEqual([]);
    expect(plan).toMatchObject({ name: 'web', environments: ['preview', 'staging', 'production'], receipts: 'git-branch' });
    expect(plan.lines.map((line) => line.id)).toEqual(['db', 'url', 'raw']);
    expect([...plan.filtered]).toEqual([['prod', { file: 'release.plan.yaml', line: 31, column: 9 }]]);
  });

  it('gives each line its keys, and everything else as params', () => {
    const [db, url, raw] = plan.lines;
    expect(db).toMatchObject({ adapter: 'neon', op: 'branch', recipe: null, api: null, destroy: null, credential: null, dependsOn: [] });
    expect(db?.params).toEqual({ name: 'pr-12' });
    expect(url).toMatchObject({ adapter: 'http', op: 'callback_url', recipe: 'idp_a.callback_url', api: 'auth0', destroy: 'keep' });
    expect(url?.credential).toBeInstanceOf(FromRef);
    expect(url?.dependsOn).toMatchObject([{ line: 'db', place: { line: 23, column: 18 } }]);
    expect(Object.keys(url?.params ?? {})).toEqual(['url']);
    expect(raw).toMatchObject({ adapter: 'http', op: 'resource', recipe: 'auth0.web_origin' });
    expect(raw?.credential).toBeInstanceOf(SecretRef);
  });

  it('gives providers and APIs their settings, context included', () => {
    expect([...plan.providers.keys()]).toEqual(['neon', 'vercel']);
    expect(plan.providers.get('vercel')?.values).toEqual({});
    const api = plan.apis.get('auth0');
    expect(api?.values.base_url).toBe('https://pr-12.example.com');
    expect(api?.place).toMatchObject({ line: 10, column: 5 });
    expect(api?.placeOf(['auth', 'basic'])).toMatchObject({ line: 12, column: 13 });
    expect(api?.placeOf([])).toEqual(api?.place);
  });

  it('tells how long its scopes stay, and no lifetime where it says none', () => {
    const day = 86_400_000;
    const lifetimeOf = (text: string) => readText(`lifetime: ${text}\nchanges: []\n`).plan.lifetime;
    expect(lifetimeOf('{ idle: 14d, label: keep-preview, others: 36h }')).toEqual({
      idleMs: 14 * day,
      label: 'keep-preview',
      othersMs: 1.5 * day,
    });
    expect(lifetimeOf('{ others: 30d }')).toEqual({ idleMs: null, label: null, othersMs: 30 * day });
    expect(plan.lifetime).toBeNull();
  });

  it('needs nothing but changes', () => {
    expect(readText('changes:\n')).toMatchObject({
      problems: [],
      plan: { environments: ['preview', 'production'], name: null, receipts: null, lines: [] },
    });
    expect(codesOf('version: 1\nchanges: []\nproviders:\n')).toEqual([]);
  });
});

describe('every mistake has its place', () => {
  it('six mistakes give six errors in the order of the file', () => {
    const text = [
      'versoin: 1',
      'changes:',
      '  - id: db',
      '    adapter: neon',
      '    op: branch',
      '    name: ${ctx.git.brnch}',
      '  - id: db',
      '    adapter: vercel',
      '    op: env',
      '  - id: env',
      '    adapter: vercel',
      '    op: env',
      '    key: API_TOKEN',
      '    value: hunter2',
      '    comment: { from: dbb.url }',
      '  - id: web',
      '    adapter: vercel',
      '    op: deploy',
      '    project: # TODO the name of the project',
      '',
    ].join('\n');
    expect(codesOf(text)).toEqual([
      'PLAN_INVALID 1:1',
      'PLAN_INVALID 6:11',
      'PLAN_INVALID 7:9',
      'SECRET_LITERAL 14:12',
      'REF_UNKNOWN 15:22',
      'PLAN_TODO 19:14',
    ]);
    const details = failuresOf(text).map((failure) => failure.detail);
    expect(details[0]).toContain('Did you mean "version"?');
    expect(details[1]).toContain('Did you mean "ctx.git.branch"?');
    expect(details[4]).toContain('Did you mean "db"?');
  });

  it.each([
    ['a newer version', 'version: 2\nchanges: []\n', 'PLAN_INVALID 1:10'],
    ['a version as text', 'version: "1"\nchanges: []\n', 'PLAN_INVALID 1:10'],
    ['a missing changes', 'name: web\n', 'PLAN_INVALID 1:1'],
    ['changes as a map', 'changes: { a: 1 }\n', 'PLAN_INVALID 1:10'],
    ['a line that is no map', 'changes: [db]\n', 'PLAN_INVALID 1:11'],
    ['a name with a slash', 'name: a/b\nchanges: []\n', 'PLAN_INVALID 1:7'],
    ['environments as text', 'environments: preview\nchanges: []\n', 'PLAN_INVALID 1:15'],
    ['no environments', 'environments: []\nchanges: []\n', 'PLAN_INVALID 1:15'],
    ['an environment with a blank', 'environments: [preview, "a b"]\nchanges: []\n', 'PLAN_INVALID 1:25'],
    ['environments that differ only in case', 'environments: [preview, Preview]\nchanges: []\n', 'PLAN_INVALID 1:25'],
    ['another store', 'receipts: s3\nchanges: []\n', 'PLAN_INVALID 1:11'],
    ['a plugin store without a name', 'receipts: "plugin:"\nchanges: []\n', 'PLAN_INVALID 1:11'],
    ['providers as a list', 'providers: [a]\nchanges: []\n', 'PLAN_INVALID 1:12'],
    ['a provider as text', 'providers: { neon: x }\nchanges: []\n', 'PLAN_INVALID 1:20'],
    ['http as text', 'providers: { http: x }\nchanges: []\n', 'PLAN_INVALID 1:20'],
    ['an API as text', 'providers: { http: { x: y } }\nchanges: []\n', 'PLAN_INVALID 1:25'],
    ['a name of a provider with a dot', 'providers: { a.b: {} }\nchanges: []\n', 'PLAN_INVALID 1:14'],
    ['a reference in provider settings', 'providers: { a: { b: { secret: "env://X" } } }\nchanges: []\n', 'PLAN_INVALID 1:22'],
    [
      'a value of the run in a command',
      'providers: { http: { x: { auth: { command: [gcloud, "--impersonate=${ctx.git.branch}"] } } } }\nchanges: []\n',
      'SECRET_LITERAL 1:53',
    ],
    [
      'a variable in a command',
      'providers: { http: { x: { auth: { command: [print, "${TOKEN}"] } } } }\nchanges: []\n',
      'SECRET_LITERAL 1:52',
    ],
    [
      'a credential in a command',
      'providers: { http: { x: { auth: { command: [print, ghp_abcdefghijklmnop] } } } }\nchanges: []\n',
      'SECRET_LITERAL 1:52',
    ],
    ['a plan that is a list', '- a\n', 'PLAN_PARSE 1:1'],
    ['a plan of comments', '# nothing\n', 'PLAN_PARSE 1:1'],
  ])('%s is refused there', (_what, text, code) => expect(codesOf(text)).toEqual([code]));

  it.each([
    ['{ idle: 14d, days: 3 }', '"days" is not a key of `lifetime`.', 24],
    ['{ idle: 0d }', '`idle` must be 1h to 365d', 19],
    ['{ idle: 366d }', '`idle` must be 1h to 365d', 19],
    ['{ idle: 14 }', '`idle` must be days or hours', 19],
    ['{ others: 2w }', '`others` must be 1h to 365d', 21],
    ['{ label: keep }', '`lifetime` has neither `idle` nor `others`', 11],
    ['{ others: 3d, label: keep }', 'without `idle` none expires', 11],
    ['14d', '`lifetime` must be a map', 11],
  ])('a lifetime of %s is a mistake with its place, and nothing expires', (text, detail, column) => {
    const { plan, problems } = readText(`lifetime: ${text}\nchanges: []\n`);
    expect(plan.lifetime).toBeNull();
    expect(problems.map((one) => one.detail).join('; ')).toContain(detail);
    expect(problems[0]).toMatchObject({ code: 'PLAN_INVALID', place: { line: 1, column } });
    expect(problems[0]?.fix).not.toBe('');
  });

  it('an environment that the plan lacks lists those it has', () => {
    const [failure, ...rest] = failuresOf('environments: [preview, staging]\nchanges: []\n', { ...fullContext, environment: 'stagin' });
    expect(rest).toEqual([]);
    expect(failure?.code).toBe('ENV_UNKNOWN');
    expect(failure?.detail).toContain('preview, staging');
    expect(failure?.detail).toContain('Did you mean "staging"?');
  });
});

describe('a line', () => {
  const line = (...rows: readonly string[]): string => `changes:\n  - ${rows.join('\n    ')}\n`;

  it.each([
    ['without an id', ['adapter: a', 'op: b'], 'PLAN_INVALID 2:5'],
    ['with a number as id', ['id: 5', 'adapter: a', 'op: b'], 'PLAN_INVALID 2:9'],
    ['with an id that begins with a digit', ['id: 5a', 'adapter: a', 'op: b'], 'PLAN_INVALID 2:9'],
    ['with an id of 65 characters', [`id: ${'a'.repeat(65)}`, 'adapter: a', 'op: b'], 'PLAN_INVALID 2:9'],
    ['without adapter and recipe', ['id: a', 'name: x'], 'PLAN_INVALID 2:9'],
    ['without an op', ['id: a', 'adapter: neon'], 'PLAN_INVALID 2:9'],
    ['with adapter and op in one', ['id: a', 'adapter: neon.branch'], 'PLAN_INVALID 3:14'],
    ['with a recipe without its op', ['id: a', 'recipe: auth0'], 'PLAN_INVALID 3:13'],
    ['with a recipe and another adapter', ['id: a', 'adapter: neon', 'recipe: a.b'], 'PLAN_INVALID 3:14'],
    ['with a recipe and an op that http lacks', ['id: a', 'op: branch', 'recipe: a.b'], 'PLAN_INVALID 3:9'],
    ['with another destroy', ['id: a', 'recipe: a.b', 'destroy: no'], 'PLAN_INVALID 4:14'],
    ['with depends_on as text', ['id: a', 'recipe: a.b', 'depends_on: b'], 'PLAN_INVALID 4:17'],
    ['with environments that the plan lacks', ['id: a', 'recipe: a.b', 'environments: [preview, prod]'], 'PLAN_INVALID 4:29'],
    ['with no environments', ['id: a', 'recipe: a.b', 'environments: []'], 'PLAN_INVALID 4:19'],
    ['with a credential that is kept', ['id: a', 'recipe: a.b', 'credential: { keep: true }'], 'PLAN_INVALID 4:17'],
    ['with an API as a list', ['id: a', 'recipe: a.b', 'api: [x]'], 'PLAN_INVALID 4:10'],
  ])('%s is refused', (_what, rows, code) => expect(codesOf(line(...rows))).toEqual([code]));

  it('names a misspelt key that would have said what it is', () => {
    expect(failuresOf(line('id: a', 'adpter: neon', 'op: branch'))[0]?.detail).toContain('Did you mean "adapter"?');
  });

  it('too broken to be read is still known to those that refer to it', () => {
    const text = `${line('id: 5a', 'adapter: a', 'op: b')}  - id: c\n    adapter: a\n    op: b\n    depends_on: ["x"]\n`;
    expect(codesOf(text)).toEqual(['PLAN_INVALID 2:9', 'REF_UNKNOWN 8:18']);
    expect(codesOf(text.replace('["x"]', '[d]').replace('5a', 'd').replace('adapter: a', 'adapter: [a]'))).toEqual(['PLAN_INVALID 3:14']);
  });
});

it('production is any environment whose name begins so', () => {
  expect(['production', 'Production', 'production-eu', 'PRODUCTION'].every(isProduction)).toBe(true);
  expect(['preview', 'preproduction', 'prod', 'staging'].some(isProduction)).toBe(false);
});

describe('a plan file', () => {
  const folder = mkdtemp(join(tmpdir(), 'plan-'));
  afterAll(async () => await rm(await folder, { recursive: true }));
  const optionsFor = async (text: string) => {
    const path = join(await folder, 'release.plan.yaml');
    await writeFile(path, text);
    return { path, display: 'release.plan.yaml', context: fullContext };
  };

  it('is read with all its mistakes', async () => {
    const { problems } = await readPlan(await optionsFor(`\uFEFF${withParams('token: x', 'v: ${ctx.x}')}`));
    expect(problems.map((f) => f.place && showPlace(f.place))).toEqual(['release.plan.yaml:5:12', 'release.plan.yaml:6:8']);
    const { plan } = await readPlan(await optionsFor(`\uFEFF${whole}`.replaceAll('\n', '\r\n')));
    expect(plan).toMatchObject({ file: 'release.plan.yaml', name: 'web' });
  });

  const headOf = async (text: string) => await readPlanHead(await optionsFor(text));
  const told = ({ name, receipts, apis, providers }: PlanHead) =>
    JSON.stringify([name, receipts, [...apis.values()], [...providers.values()]]);

  const [linesAbove = '', linesBelow = ''] = whole.replace('version: 1\n', '').split('changes:');

  it.each([
    ['as it is', whole],
    ['with its lines first', `version: 1\nchanges:${linesBelow}${linesAbove}`],
    ['with its lines at the margin', `${linesAbove}changes:${linesBelow.replaceAll('\n  ', '\n')}`],
    ['with CRLF', whole.replaceAll('\n', '\r\n')],
    ['with a note and empty lines', whole.replace('changes:', 'changes: # all of them\n\n# the first').replaceAll('  - id', '\n  - id')],
    ['with an anchor that its head names', `changes:\n  - { id: a, name: &x b }\nname: *x\n`],
  ])('has the same head without its lines: %s', async (_, text) => {
    expect(told(await headOf(text))).toBe(told(readText(text).plan));
  });

  it.each(['  - id: [\n', '  - a: "\n', '  - a: *b\n  - id: c\n    id: d\n', '\t- x\n'])(
    'has a head although its lines are %j',
    async (lines) => {
      expect(await headOf(`name: web\nchanges:\n${lines}receipts: local\n`)).toMatchObject({ name: 'web', receipts: 'local' });
    },
  );

  it('has none where the rest is broken', async () => {
    await expect(headOf('name: [\nchanges:\n  - id: a\n')).rejects.toBeInstanceOf(Failures);
  });
});

describe('any bytes', () => {
  const bytes = new TextEncoder().encode(whole);
  const yamlish = fc.constantFrom(...'&*!|>-?:,[]{}#%@`"\'\t\n ~.$<0e', '${', '$${', '<<', '---\n', '&a ', '*a ', '{ from: ', 'TODO', '\r');

  const survives = (mutated: Uint8Array): void => {
    try {
      planFromText(decodePlan(mutated, 'p'), { path: '/p', display: 'p', context: fullContext });
    } catch (thrown) {
      if (!(thrown instanceof Failure || thrown instanceof Failures)) throw thrown;
    }
  };

  it('in place of others give a plan or a Failure, nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }), (changes) => {
        const mutated = bytes.slice();
        for (const [at, byte] of changes) mutated[at] = byte;
        survives(mutated);
      }),
      { numRuns: 400 },
    );
  });

  it('that mean something in YAML, put in anywhere, give a plan or a Failure, nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length), yamlish, fc.nat(12)), { minLength: 1, maxLength: 6 }), (edits) => {
        let text = whole;
        for (const [at, token, cut] of edits) text = text.slice(0, at) + token + text.slice(at + cut);
        survives(new TextEncoder().encode(text));
      }),
      { numRuns: 400 },
    );
  });
});
