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
    '## In untidy worlds',
    untidyText,
    '## The promises',
    'The tests run whole plans against simulated providers and a real ledger. The same promises are held in [random plans, faults and cuts](../test/crash/simulate), in [every state of the protocol](../test/model) that a model can reach, under [mutated input](../test/fuzz) and with [processes that are killed](../test/crash/chaos). [Where the edges are](../README.md#what-it-promises) stands in the README.',
    markdownTable(
      ['Promise', 'What keeps it', 'Held by'],
      promises.map(({ says, how, heldBy }) => [says, how, links(heldBy, '../')]),
    ),
  );
}

const untidyText = `Providers do not keep what they are sent as it was sent. They put hosts into lower case, take final slashes away, sort lists, write numbers as text,
fill in defaults, cut lists into pages, and show a write late. The guarantees hold there, too:

- **The recorded id is the object.** It is looked for in the list, or by its path, whatever the object is called now. An object that a person
  renamed is put back and never made twice. A chosen id is recorded as the provider spells it.
- **A kept form is as planned.** The record remembers the form in which the provider keeps a value or the name of an entry. It comes from the
  answer to the write, or it means the same by one of the forms below. Anything else that stands there is drift.
- **A value that is not kept is told.** A value that the provider answers with a success and does not keep is sent twice. Then its line fails with
  \`PROVIDER_RESPONSE\` and the field's name, and no run sends it again until the plan says otherwise.
- **A secret may be shown as anything.** A mask, a digest, a cipher text or nothing in its place is remembered by its slow fingerprint. The secret
  is sent when it changes. A variable that is listed with null is there and cannot be read: one of somebody else is never taken over.
- **A list is whole or not believed.** A short page is no last page. A list and a path that disagree are asked again, and neither of them says
  that nothing is there.
- **An entry is ours by what the write changed.** An entry that stood there before is somebody else's, however its provider spells ours. One that
  its provider takes and leaves out is sent by one run, and again only with \`--recreate\`.
- **A late read is not the end.** A run looks again for what it wrote, or the record knows, for six seconds or for as long as \`settle\` says,
  before it writes anything else.

Forms that mean the same: a URL or host written anew, JSON in another spacing or order, a moment in another time zone, a number or boolean as text,
outer spaces and line ends, an empty value as none. Of what was just written also: another case, another order, no doubles, one value alone or in
a list.

The edges: the second apply writes once more to a provider that answers with what was sent and keeps another order or case, or shows a secret
otherwise. A bound of a number is learned from an answer alone. A cipher text that differs with each read cannot be told from a change. Where two
entries could be ours, nothing more is written, and the error names both. Reads that lag longer than six seconds and do not say so (\`settle\`)
can show that an object is gone which is not.

[Tested](../test/untidy) in worlds that do each of these, and by [random plans](../test/crash/simulate). \`npm run untidy\` takes every operation
through [worlds of 24 kinds](../test/support/untidy/kinds.ts) and prints why an operation cannot meet one.`;

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
