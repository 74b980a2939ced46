import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planSchema } from '../../scripts/docs/schema.ts';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { examplePlan } from '../../src/recipes/example-plan.ts';
import { type DocumentedOp, readSubjects, type Subject } from '../../src/recipes/subjects.ts';
import { type Completion, type LanguageServer, type Opened, type Position, startLanguageServer } from './language-server.ts';

const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const operations = subjects.flatMap((subject) => subject.ops.map((op) => ({ subject, op, title: `${subject.name}.${op.name}` })));
const recipes = operations.flatMap(({ op }) => op.recipes.map((name) => ({ name, op })));

/** How a line names an operation. */
const naming = (subject: Subject, { name, recipes: [recipe = ''] }: DocumentedOp): string =>
  subject.kind === 'adapter' ? `    adapter: ${subject.name}\n    op: ${name}\n` : `    recipe: ${recipe}\n`;

/** An open plan, and the text of it. */
interface Shown extends Opened {
  readonly text: string;
}

const comment = '# yaml-language-server: $schema=./release.plan.schema.json\n';

/** The text without the mark, and where the mark was. */
function marked(text: string): { readonly text: string; readonly at: Position } {
  const before = text.slice(0, text.indexOf('|'));
  const lines = before.split('\n');
  return { text: text.replace('|', ''), at: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
}

const docOf = ({ documentation = '' }: Completion): string => (typeof documentation === 'string' ? documentation : documentation.value);

/** Without what Markdown escapes: underscores, stars, brackets. */
const plain = (text: string): string => text.replaceAll('\\', '').replaceAll('&nbsp;', ' ').replace(/\s+/g, ' ');

let folder = '';
let server: LanguageServer;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pilotfish-editor-')));
  const schema = join(folder, 'release.plan.schema.json');
  await writeFile(schema, JSON.stringify(planSchema(subjects)));
  server = await startLanguageServer({ folder, settings: { schemas: { [`file://${schema}`]: 'by-setting.yaml' } } });
  // All at once: the server looks at a text when it was left alone for a moment.
  for (const { subject, op, title } of operations) {
    const example = comment + examplePlan(subject, op);
    examples.set(title, { text: example, ...server.open(example) });
    const text = `${example.trimEnd()}\n    ${misspelt(op)}: 1\n`;
    wrong.set(title, { text, ...server.open(text) });
  }
});

const examples = new Map<string, Shown>();
const wrong = new Map<string, Shown>();

const misspelt = ({ op }: DocumentedOp): string => `${Object.keys(op.params)[0] ?? 'name'}s_`;

function shown(among: ReadonlyMap<string, Shown>, title: string): Shown {
  const found = among.get(title);
  if (!found) throw new Error(`${title} is not open`);
  return found;
}

const lineOf = (text: string, start: string): number => text.split('\n').findIndex((one) => one.startsWith(start));

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the editor offers where the mark stands. */
function completions(plan: string, name?: string): Promise<readonly Completion[]> {
  const { text, at } = marked(name === undefined ? comment + plan : plan);
  return server.open(text, name).complete(at);
}

describe('an editor that knows the schema', () => {
  describe.each(operations)('in a line of $title', ({ subject, op, title }) => {
    const { params } = op.op;

    it('offers every param, with what it is', async () => {
      const offered = new Map((await completions(`changes:\n  - id: x\n${naming(subject, op)}    |\n`)).map((one) => [one.label, one]));
      expect([...offered.keys()]).toEqual(expect.arrayContaining(Object.keys(params)));
      for (const [name, { doc }] of Object.entries(params)) {
        const found = offered.get(name);
        expect(found && plain(docOf(found)), name).toContain(plain(doc));
      }
    });

    it('takes the example as it is', async () => {
      expect(await shown(examples, title).diagnostics).toEqual([]);
    });

    it('underlines a misspelt param, and nothing else', async () => {
      const { text, diagnostics } = shown(wrong, title);
      const name = misspelt(op);
      const line = lineOf(text, `    ${name}:`);
      expect((await diagnostics).map(({ range }) => range)).toEqual([
        { start: { line, character: 4 }, end: { line, character: 4 + name.length } },
      ]);
    });

    it('says what a param of the example is', async () => {
      const { text, hover } = shown(examples, title);
      for (const name of Object.keys(op.example)) {
        const found = await hover({ line: lineOf(text, `    ${name}:`), character: 5 });
        expect(plain(found), name).toContain(plain(params[name]?.doc ?? ''));
      }
    });
  });

  it('offers every recipe by each of its names, with what it keeps', async () => {
    const offered = new Map((await completions('changes:\n  - id: x\n    recipe: |\n')).map((one) => [one.label, docOf(one)]));
    expect(recipes.length).toBeGreaterThan(130);
    for (const { name, op } of recipes) expect(offered.get(name), name).toContain(op.op.doc);
  });

  it('offers every adapter, and the operations of the one that is named', async () => {
    const adapters = subjects.filter(({ kind }) => kind === 'adapter');
    const offered = (await completions('changes:\n  - id: x\n    adapter: |\n')).map(({ label }) => label);
    expect(offered).toEqual(expect.arrayContaining(['http', ...adapters.flatMap(({ spellings }) => spellings)]));
    for (const { name, ops } of adapters) {
      const found = await completions(`changes:\n  - id: x\n    adapter: ${name}\n    op: |\n`);
      expect(found.map(({ label }) => label)).toEqual(expect.arrayContaining(ops.map((op) => op.name)));
    }
  });

  it('offers the API blocks of all families', async () => {
    const offered = (await completions('providers:\n  http:\n    |\n')).map(({ label }) => label);
    const families = subjects.filter(({ kind }) => kind === 'recipe').flatMap(({ spellings }) => spellings);
    expect(offered).toEqual(expect.arrayContaining(families));
  });

  it('underlines a required param that is not there, a wrong type and an operation that an adapter does not have', async () => {
    const messages = async (line: string): Promise<string> =>
      (await server.open(`${comment}changes:\n  - id: x\n${line}`).diagnostics).map(({ message }) => message).join(' ');
    expect(await messages('    recipe: auth0.callback_url\n    client_id: shop\n')).toContain('url');
    expect(await messages('    recipe: heroku.config_var\n    app: [shop]\n    key: A\n    value: b\n')).not.toBe('');
    expect(await messages('    adapter: neon\n    op: brunch\n')).toContain('branch');
  });

  it('says as much where the schema is a setting of the editor and not a comment', async () => {
    const name = 'by-setting.yaml';
    const offered = await completions('changes:\n  - id: x\n    recipe: auth0.callback_url\n    |\n', name);
    expect(offered.map(({ label }) => label)).toEqual(expect.arrayContaining(['client_id', 'url']));
  });

  it('needs no network: what it asked for in vain was its own catalogue of schemas', () => {
    expect([...new Set(server.connections)]).toEqual(['www.schemastore.org:443']);
  });
});
