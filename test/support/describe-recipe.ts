import type { Simulation, SimulationOptions } from 'pilotfish-sandbox/kit/index';
import { describe, it } from 'vitest';
import { withBench } from './suite/bench.ts';
import type { Case } from './suite/case.ts';
import { late } from './suite/late.ts';
import { change, drift, lifecycle, same, takeOver } from './suite/lifecycle.ts';
import { busySend, messages, trigger } from './suite/messages.ts';
import { secrecy } from './suite/secrets.ts';
import { slow } from './suite/slow.ts';
import type { Subject } from './suite/subject.ts';
import { waits } from './suite/waits.ts';
import { weather } from './suite/weather.ts';
import { untidyCases, untidyNames } from './untidy/cases.ts';
import { isOnly } from './untidy/report.ts';

export interface RecipeSuite<W> {
  /** The provider, one for each test. */
  readonly simulate: (options: SimulationOptions) => Simulation<W>;
  /** The line in a world that was just made, and everything of other people that stands beside it. */
  readonly subject: (simulation: Simulation<W>) => Subject;
  /** `action` leaves nothing to read back, `wait` owns nothing. Default: an object, or an entry of a list. */
  readonly kind?: 'action' | 'wait';
  /** What a case cannot mean at this provider, with the reason, which is printed. */
  readonly skip?: { readonly [name: string]: string };
}

/**
 * Holds one operation to the promises that all of them make, through whole runs: plan, apply and destroy over its provider's
 * simulation and a ledger. A new recipe or adapter calls it once an operation.
 */
export const describeRecipe = <W>(op: string, suite: RecipeSuite<W>): void => describeLine(op, true, suite);
export const describeOp = <W>(op: string, suite: RecipeSuite<W>): void => describeLine(op, false, suite);

function describeLine<W>(op: string, isRecipe: boolean, suite: RecipeSuite<W>): void {
  const { simulate, kind, skip = {} } = suite;
  const options = { op, isRecipe, simulate, subject: suite.subject };
  // What the subject can do decides which cases there are; it is not used again.
  const sample = suite.subject(simulate({}));
  const tidy = kind === 'action' ? casesOfActions(sample) : kind === 'wait' ? casesOfWaits() : casesOfObjects(sample);
  const unknown = Object.keys(skip).filter((name) => !Object.hasOwn(tidy, name) && !untidyNames.has(name));
  if (unknown.length > 0) throw new Error(`${op} skips ${unknown.join(', ')}, and there is no such case`);
  const cases = { ...(!isOnly() && tidy), ...untidyCases({ op, subject: sample, kind, skip }) };
  describe(op, () => {
    for (const [name, { says, unless, run }] of Object.entries(cases)) {
      const reason = skip[name] ?? unless?.(sample) ?? null;
      if (reason === null) it(says, (context) => withBench(options, (bench) => run(bench, (why) => context.skip(why))));
      else {
        console.info(`${op}: skipped "${says}": ${reason}`);
        it.skip(`${says} (skipped: ${reason})`);
      }
    }
  });
}

type Cases = { readonly [name: string]: Case };

const named = (prefix: string, fields: object | undefined, make: (field: string) => Case): Cases =>
  Object.fromEntries(Object.keys(fields ?? {}).map((field) => [`${prefix} ${field}`, make(field)]));

const casesOfObjects = ({ edits, changes, fixed, same: spellings }: Subject): Cases => ({
  ...lifecycle,
  ...named('drift', edits, drift),
  ...named('same', spellings, same),
  ...named('change', changes, change),
  ...named('takeOver', fixed, takeOver),
  ...weather,
  ...slow,
  ...late,
  secrecy,
});

const casesOfActions = ({ fixed }: Subject): Cases => ({
  ...messages,
  ...named('trigger', fixed, trigger),
  busySend,
  wrong: weather.wrong,
  readOnly: weather.readOnly,
  secrecy,
});

const casesOfWaits = (): Cases => ({ ...waits, busyLook: weather.busyLook, wrong: weather.wrong, secrecy });
