import { describe, expect, it } from 'vitest';
import { standing } from '../demo/standing.ts';
import { some } from '../support/whole.ts';
import { openScene, type Run, type RunEnds, type Scene, shortTerms } from './scene.ts';

/** Nothing makes a strategy unique, and the shared list takes a lock: a repeat of either would be seen. */
const lines = `
  - { id: flag, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: development, title: "shop \${ctx.scope}" }
  - { id: sign-in, recipe: auth0.callback_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://\${ctx.scope}.preview.acme.example/callback", depends_on: [flag] }`;
const made = { 'unleash strategies': 1, 'auth0 callback URLs': 1 };

const pushesOf = ({ wire }: Run): number => wire.passages.filter(({ kind }) => kind === 'push').length;

/** Calls `act` at the n-th push of a run, and tells whether it came to that. */
function atPush(n: number, phase: 'before' | 'after', act: (run: Run) => Promise<void> | void) {
  const state = { happened: false };
  let count = 0;
  const listen: NonNullable<RunEnds['before']> = async ({ kind }, run) => {
    if (kind !== 'push' || ++count !== n) return;
    state.happened = true;
    await act(run);
  };
  const ends: RunEnds = { [phase]: listen };
  return { ends, state };
}

const broken = (): never => {
  throw new Error('the connection broke');
};

async function finishes(scene: Scene): Promise<void> {
  expect(scene.added()).toEqual(made);
  const { records, intents, lease } = await scene.ledger();
  expect([[...records.values()].map(({ line }) => line).toSorted(), intents.size, lease?.released]).toEqual([
    ['flag', 'sign-in'],
    0,
    { quietForMs: 0 },
  ]);
  const again = await (await scene.run(['apply'])).done;
  expect([again.code, again.document.stats.writes]).toEqual([0, 0]);
  expect((await (await scene.run(['apply', '--destroy'])).done).code).toBe(0);
  expect(standing(scene.team)).toEqual(scene.before);
}

/** How many pushes an undisturbed apply of these lines has: each of them is disturbed below. */
const pushes = 5;

describe.concurrent('a push whose connection broke', () => {
  it(`is one of ${pushes}: an apply has no others`, async (context) => {
    const scene = await openScene(context, lines);
    const run = await scene.run(['apply']);
    expect((await run.done).code).toBe(0);
    expect(pushesOf(run)).toBe(pushes);
  });

  const each = Array.from({ length: pushes }, (_, i) => i + 1);
  it.for(some(each, 3))(
    'after the host had stored it (number %i) is seen to have landed: no second object, no lost fact',
    async (n, context) => {
      const scene = await openScene(context, lines);
      const { ends, state } = atPush(n, 'after', broken);
      const { code, document } = await (await scene.run(['apply'], { ends })).done;
      expect([state.happened, code, document.status]).toEqual([true, 0, 'complete']);
      await finishes(scene);
    },
  );

  it.for(some(each.slice(1), 2))('before the host had it (number %i) is sent again: no second object, no lost fact', async (n, context) => {
    const scene = await openScene(context, lines);
    const { ends, state } = atPush(n, 'before', broken);
    const { code, document } = await (await scene.run(['apply'], { ends })).done;
    expect([state.happened, code, document.status]).toEqual([true, 0, 'complete']);
    await finishes(scene);
  });
});

describe.concurrent('an apply that is killed', () => {
  const die = (run: Run): Promise<void> => run.die();
  const dieUnheard = async (run: Run): Promise<void> => {
    await run.die();
    throw new Error('it never lands');
  };
  const moments = [
    {
      when: 'while the push of its first intent is under way, which never lands',
      n: 1,
      phase: 'before',
      act: dieUnheard,
      verdict: 'create',
    },
    {
      when: 'while the push of its first intent is under way, which lands after its death',
      n: 1,
      phase: 'before',
      act: die,
      verdict: 'create',
    },
    { when: 'in the gap between the stored intent and its create', n: 1, phase: 'after', act: die, verdict: 'create' },
    {
      when: 'while the push of the next intent and the record before it is under way, which never lands',
      n: 2,
      phase: 'before',
      act: dieUnheard,
      verdict: 'claim',
    },
    {
      when: 'while the push of the next intent and the record before it is under way, which lands after its death',
      n: 2,
      phase: 'before',
      act: die,
      verdict: 'none',
    },
    { when: 'with the lock of the shared list just taken', n: 3, phase: 'after', act: die, verdict: 'none' },
    { when: 'while the release of the lock is under way, which never lands', n: 4, phase: 'before', act: dieUnheard, verdict: 'none' },
    { when: 'while the last push is under way, which never lands', n: 5, phase: 'before', act: dieUnheard, verdict: 'none' },
    { when: 'while the last push is under way, which lands after its death', n: 5, phase: 'before', act: die, verdict: 'none' },
  ] as const;

  it.for(some(moments, 4))('$when, is finished by the next one', async ({ n, phase, act, verdict }, context) => {
    const scene = await openScene(context, lines);
    const { ends, state } = atPush(n, phase, act);
    const killed = await scene.run(['apply'], { ends, env: shortTerms });
    expect([(await killed.done).code, state.happened]).toEqual([-1, true]);
    const { code, document } = await (await scene.run(['apply'])).done;
    expect([code, document.status, document.lines[0]?.verdict]).toEqual([0, 'complete', verdict]);
    await finishes(scene);
  });
});
