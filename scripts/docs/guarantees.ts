import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../tasks.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';
import { guarantees, type Holder, promises } from './promises.ts';

const held = 'test/lifecycle/guarantees.test.ts';

/** `docs/guarantees.md`: what is promised, what keeps it, and the tests that would fail without it. */
export async function guaranteesPage(): Promise<string> {
  const tests = testsByGuarantee(await readFile(join(root, held), 'utf8'));
  return page(
    '# What is guaranteed',
    generatedNote(`scripts/docs/promises.ts and ${held}`),
    'Seven guarantees hold for every adapter, recipe and plugin. Below them stands what the README promises, with what keeps it and the tests that hold it.',
    ...guarantees.flatMap(({ name, says, how }) => {
      const found = tests.get(name);
      if (!found) throw new Error(`No test of ${held} is named after ${name}.`);
      const sentences = found.names.map((test) => `- ${test.replaceAll('%s', '…').replaceAll('<', '&lt;')}`).join('\n');
      return [`## ${name}`, says, `What keeps it: ${how}`, `[Tested](../${held}) as “${found.title}”:`, sentences];
    }),
    '## The promises',
    'The tests run whole plans against simulated providers and a real ledger. The same promises are held in [random plans, faults and cuts](../test/crash/simulate), in [every state of the protocol](../test/model) that a model can reach, under [mutated input](../test/fuzz) and with [processes that are killed](../test/crash/chaos). [Where the edges are](../README.md#what-it-promises) stands in the README.',
    markdownTable(
      ['Promise', 'What keeps it', 'Held by'],
      promises.map(({ says, how, heldBy }) => [says, how, links(heldBy, '../')]),
    ),
  );
}

/** The table of the README. */
export const promisesTable = (): string =>
  markdownTable(
    ['Promise', 'Held by'],
    promises.map(({ says, heldBy }) => [says, links(heldBy, '')]),
  );

const links = (heldBy: readonly Holder[], to: string): string => heldBy.map(({ name, path }) => `[${name}](${to}${path})`).join(', ');

interface Tests {
  /** What stands behind `G1: `. */
  readonly title: string;
  readonly names: readonly string[];
}

/** Names of suites and tests as they stand in the source: `describe('G1: …')`, and every `it('…')` or table of them below. */
function testsByGuarantee(source: string): ReadonlyMap<string, Tests> {
  return new Map(
    source
      .split(/^describe\('/m)
      .slice(1)
      .flatMap((suite): [string, Tests][] => {
        const [, name, title] = /^(G\d): ([^']*)'/.exec(suite) ?? [];
        if (name === undefined || title === undefined) return [];
        return [[name, { title, names: [...suite.matchAll(/^ {2}(?:it|\]\))\('([^']*)'/gm)].map(([, test]) => test ?? '') }]];
      }),
  );
}
