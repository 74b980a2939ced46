import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../tasks.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';
import { guarantees, type Holder, promises } from './promises.ts';

const held = 'test/lifecycle/guarantees.test.ts';

/** `docs/guarantees.md`: each promise, the mechanism that keeps it, and the tests that would fail without it. */
export async function guaranteesPage(): Promise<string> {
  const tests = testsByGuarantee(await readFile(join(root, held), 'utf8'));
  return page(
    '# Guarantees',
    generatedNote(`scripts/docs/promises.ts and ${held}`),
    'Seven guarantees hold for every adapter, recipe and plugin. Below them are the promises, each with the mechanism that keeps it and the tests that hold it.',
    ...guarantees.flatMap(({ name, says, how }) => {
      const found = tests.get(name);
      if (!found) throw new Error(`No test of ${held} is named after ${name}.`);
      const sentences = found.names.map((test) => `- ${test.replaceAll('%s', '…').replaceAll('<', '&lt;')}`).join('\n');
      return [`## ${name}`, says, `Mechanism: ${how}`, `[Tested](../${held}) as “${found.title}”:`, sentences];
    }),
    '## In untidy worlds',
    untidyText,
    '## Another object of the same name',
    successorText,
    '## The promises',
    'The tests run whole plans against simulated providers and a real ledger. Other tests hold the same promises in [random plans, faults and cuts](../test/crash/simulate), in [every state of the protocol](../test/model) that a model can reach, under [mutated input](../test/fuzz) and with [killed processes](../test/crash/chaos). [No tool can promise everything](#the-limits).',
    markdownTable(
      ['Promise', 'Mechanism', 'Held by'],
      promises.map(({ says, how, heldBy }) => [says, how, links(heldBy)]),
    ),
    '`npm test` runs a part of each proof. `npm run prove` runs all proofs at full size (more than an hour). `npm run prove -- --part <name>` runs one part alone, each in less than 25 minutes on two idle cores. The parts that ran at one commit add up.',
    '## The limits',
    limitsText,
  );
}

const limitsText = `No tool can promise everything over APIs without transactions. These are the limits:

- A person or another tool may make an object under our name after our look and before the answer to our create. If a provider's lists lag,
  this time begins up to \`settle\` seconds before our look. A later run may take this object for our own if the provider does not say when it
  was made. This happens only if the run died before the answer, or the answer was lost.
- A PUT under a name that the client chose makes or replaces. It replaces an object that somebody else made there after our look.
- A person or a tool outside pilotfish that writes a whole list back can drop our entry, and we can drop theirs. The next apply sees this.
- Two repositories that share a list at a provider need one \`PILOTFISH_LOCK_REMOTE\`, a git remote or a database. Without it they are like writers outside pilotfish.
- A destroy that is killed between the answer to a delete and the push of that fact leaves the record. If deletes take time at the provider
  and the operation does not say so (\`until_gone\`), the next apply may still see the object and judge it as planned. The apply after that
  makes the object anew.
- Somebody may make an object under a name that the plan chose, after ours was deleted. This object looks like ours while its delete still
  runs, unless its provider says when it was made. A run waits for its end. Only a destroy removes it, and only if the delete seems to have
  failed (a 202, or a run that still saw the object).
- A machine may be suspended between the check of its lease and the network card, for longer than the lease. It sends one write when it
  wakes up.`;

const untidyText = `Providers do not keep values as they were sent. They put hosts into lower case, remove final slashes, sort lists, write numbers as text,
fill in defaults, cut lists into pages, and show a write late. The guarantees hold there too:

- **The recorded id is the object.** A run looks for this id in the list, or by its path, whatever the object is called now. A run puts back an
  object that a person renamed, and never makes it twice. A chosen id is recorded in the provider's spelling.
- **A kept form is as planned.** The record remembers the form in which the provider keeps a value or the name of an entry. This form comes from
  the answer to the write, or means the same by one of the forms below. Any other value is drift.
- **A value that is not kept is reported.** A run sends a value twice if the provider answers with a success and does not keep it. Then its line
  fails with \`PROVIDER_RESPONSE\` and the field's name, and no run sends the value again until the plan changes.
- **A secret may be shown as anything.** The record remembers a mask, a digest, a cipher text or nothing by its slow fingerprint. A run sends the
  secret when it changes. A variable that is listed with null exists and cannot be read: a run never takes over such a variable of somebody else.
- **A list is whole or not believed.** A short page is no last page. A run reads again if a list and a path disagree, and neither of them proves
  that nothing is there.
- **An entry is ours by the change of the write.** An entry that existed before is somebody else's, however its provider spells ours. One run
  sends an entry that its provider accepts and leaves out, and later runs send it only with \`--recreate\`.
- **A late read is not the end.** A run looks again for a value that it wrote, or that the record knows, for six seconds or for \`settle\`
  seconds, before it writes anything else.

These forms mean the same: a URL or host in another spelling, JSON in another spacing or order, a moment in another time zone, a number or boolean
as text, outer spaces and line ends, an empty value and no value. For a value that was just written also: another case, another order, no doubles,
one value alone or in a list.

The limits: the second apply writes once more to a provider that answers with the sent value and keeps another order or case, or shows a secret
in another form. A run learns a bound of a number only from an answer. A run cannot tell a cipher text that differs with each read from a change.
If two entries could be ours, the run writes nothing more, and the error names both. Reads that lag longer than six seconds and do not say so
(\`settle\`) can make a standing object look gone.

[Tested](../test/untidy) in worlds that do each of these, and by [random plans](../test/crash/simulate). \`npm run untidy\` takes every operation
through [worlds of 24 kinds](../test/support/untidy/kinds.ts) and prints why an operation cannot meet one.`;

const successorText = `Somebody may delete an object of a scope and make another one under its name. The recorded name then leads to the other object.

- **The record knows the birth of its object.** It keeps what the provider itself tells: an id of its own beside the name, or the moment when
  the object was made, as the provider spells it. No clock of ours has a part in it. An update that changes this sign shows that it tells
  nothing, and the record says so from then on.
- **Another birth is somebody else's object.** A plan and an apply refuse the line with \`RESOURCE_FOREIGN\` and write nothing. A destroy, and an
  apply that removes what moved or was replaced, leave the object, warn, and forget ours. They read the object once before its delete.
  They send no such read if the provider gave the id, because no other object gets it.
- **Objects and entries in our object went with it.** A destroy takes no entry, secret or other object out of the other one. This holds if its line
  refers to the line of the object, or says \`depends_on\`.
- **An object that an unfinished run made anew is ours.** The intent of that run tells.
- **Only what is sure counts.** Two moments are one if they differ by no more than what one of them is rounded to: a second, a minute, a day,
  or the zone that one of them leaves out. A sign that an answer lacks tells nothing.

The limits: most providers show no sign of DNS record sets, variables, secrets, users and entries of lists. There the name is all that anybody
can know, and a destroy removes what stands under it. The same holds for the copy of an index that bears the date of its source, for
objects whose time moves with a write (\`created_at_moves\`), and for records of earlier versions until a run next changes them. A run cannot
tell an object from one that somebody made between its read and its delete, or under an open intent of the scope.

[Tested](../test/untidy/successor.test.ts) with times in every spelling, and [for every operation](../test/support/suite/lifecycle.ts) whose
provider tells two objects of one name apart.`;

const links = (heldBy: readonly Holder[]): string => heldBy.map(({ name, path }) => `[${name}](../${path})`).join(', ');

interface Tests {
  /** The text after `G1: `. */
  readonly title: string;
  readonly names: readonly string[];
}

/** Reads the names of suites and tests from the source: `describe('G1: …')`, and every `it('…')` or table of them below. */
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
