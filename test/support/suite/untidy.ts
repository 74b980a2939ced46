import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { type Case, editOutside } from './case.ts';
import { formsIn, hasScope, type Manner, manners, type Shown, speak } from './manners.ts';
import { neverShown } from './never-shown.ts';
import type { Subject } from './subject.ts';

/** One case for each manner: made once, written when needed alone, put back, and taken away. */
export const untidy: { readonly [name: string]: Case } = Object.fromEntries(
  Object.entries(manners).map(([kind, manner]) => [
    `untidy ${kind}`,
    {
      says: `untidy: shown with ${manner.says}, it is made once, and nothing of it is left`,
      unless: (subject: Subject) => {
        if (subject.stands === undefined) return 'its subject does not say how it stands';
        return shownOf(subject, manner).size > 0 ? null : `it has no value that could be shown with ${manner.says}`;
      },
      run: (bench: Bench, skip: (reason: string) => never) => tell(bench, manner, skip),
    },
  ]),
);

/** `npm run untidy` runs these cases and no others. */
export const isOnly = (): boolean => process.env.PILOTFISH_UNTIDY === 'only';

/** All of them in `npm run untidy`; else the first that means something for the operation, beginning at one that its name picks. */
export function untidyCases(op: string, subject: Subject): { readonly [name: string]: Case } {
  if (isOnly()) return untidy;
  const all = Object.entries(untidy);
  const start = [...op].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % all.length;
  const turned = [...all.slice(start), ...all.slice(0, start)];
  return Object.fromEntries(turned.filter(([, { unless }]) => unless?.(subject) === null).slice(0, 1));
}

async function tell(bench: Bench, manner: Manner, skip: (reason: string) => never): Promise<void> {
  const { subject } = bench;
  const spoken = speak(bench.simulation, shownOf(subject, manner));
  const writes = async (): Promise<number> =>
    (
      await bench.during(async () => {
        await bench.applied();
      })
    ).filter(({ write }) => write).length;
  await bench.applied();
  expect(await writes(), 'writes of the second apply').toBe(0);
  if (spoken.times === 0) skip(neverShown);
  expect(await bench.planned(), 'the plan').toMatchObject({ verdict: 'none', drift: 'none' });
  const [edit] = Object.values(subject.edits ?? {});
  if (edit) {
    editOutside(bench, edit);
    await bench.applied();
    expect(await writes(), 'writes of the apply after an outside change was put back').toBe(0);
  }
  bench.one();
  expect(await bench.destroy(), 'the destroy').toMatchObject({ ok: true });
  if (!subject.stays) expect(subject.mine(), 'what destroy leaves').toEqual([]);
}

/** Every value that stands in the object as planned; and its name, by which it is found, may be no field of it. */
const shownOf = ({ stands, params }: Subject, manner: Manner): Shown =>
  new Map([...formsIn(stands, manner), ...formsIn(params, manner, hasScope)]);
