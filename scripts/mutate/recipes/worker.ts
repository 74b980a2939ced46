import { loadFamily } from '../../../src/recipes/load.ts';
import { openJudge } from './judge.ts';
import { mutantsOf } from './mutants.ts';

/** A request to one process: mutants of one family, by their index in the list of all of them. */
export interface Asked {
  readonly family: string;
  readonly which: readonly number[];
}

/** The answer: the judge that noticed each mutant, in the same order. */
export interface Answered {
  readonly family: string;
  readonly loader: number;
  readonly tests: number;
  readonly survivors: readonly number[];
}

async function answer({ family, which }: Asked): Promise<Answered> {
  const judge = await openJudge(new Set([family]));
  const mutants = mutantsOf(await loadFamily(family));
  let loader = 0;
  let tests = 0;
  const survivors: number[] = [];
  for (const at of which) {
    const mutant = mutants[at];
    if (!mutant) throw new Error(`${family} has no mutant ${at}`);
    const { by } = await judge(mutant);
    if (by === 'loader') loader += 1;
    else if (by === 'test') tests += 1;
    else survivors.push(at);
  }
  return { family, loader, tests, survivors };
}

// A world that a mutant left behind may still reject a promise. Its test has already got the failure.
process.on('unhandledRejection', () => undefined);
process.on('message', (asked: Asked) => {
  answer(asked).then(
    (answered) => process.send?.(answered),
    (error: unknown) => process.send?.({ family: asked.family, error: error instanceof Error ? error.message : String(error) }),
  );
});
