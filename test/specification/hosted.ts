import assert from 'node:assert/strict';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type VercelWorld, vercel } from 'pilotfish-sandbox/vercel/index';
import type { Clock } from '../../src/core/clock.ts';
import type { ApplyDoc, PlanDoc } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';
import type { Row } from './rows.ts';

type Line = { readonly [key: string]: unknown };

interface Host<W> {
  readonly simulate: (o: { readonly clock: Clock }) => Simulation<W>;
  /** The variable that holds its token. */
  readonly token: string;
  readonly lines: readonly Line[];
}

export interface Hosted<W> {
  readonly simulation: Simulation<W>;
  readonly world: W;
  readonly stage: Stage;
  write(lines: readonly Line[]): Promise<void>;
  /** Method and path of every write that the provider saw. */
  writes(): readonly string[];
}

/** A row with whole runs of a built-in adapter at its simulated provider. Ten seconds of a run pass in one. */
export const hosted = <W>(says: string, { simulate, token, lines }: Host<W>, check: (at: Hosted<W>) => Promise<void>): Row => ({
  says,
  check: async () => {
    const clock = new LeapingClock();
    const simulation = simulate({ clock });
    const planOf = (changes: readonly Line[]): string => JSON.stringify({ version: 1, changes });
    const stage = await openStage({
      simulations: [simulation],
      clock,
      env: { [token]: simulation.tokens.full, PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '120000' },
      plan: planOf(lines),
    });
    try {
      await check({
        simulation,
        world: simulation.world,
        stage,
        write: (changes) => stage.write(planOf(changes)),
        writes: () => simulation.writes().map(({ method, path }) => `${method} ${path}`),
      });
      verifyHandled([simulation]);
      expectContracts([simulation]);
    } finally {
      await stage.close();
    }
  },
});

export const sha = 'a'.repeat(40);
export const gitBranch = 'feat/x';

/** A row at a Vercel project that is connected to a repository with one branch. */
export const atVercel = (says: string, lines: readonly Line[], check: (at: Hosted<VercelWorld>) => Promise<void>): Row =>
  hosted(says, { simulate: vercel, token: 'VERCEL_TOKEN', lines }, async (at) => {
    at.world.addBranch(gitBranch, sha);
    await check(at);
  });

export const variable = (change: Line = {}): Line => ({
  id: 'url',
  adapter: 'vercel',
  op: 'env',
  project: 'shop',
  key: 'DATABASE_URL',
  value: 'postgres://pr-12',
  git_branch: gitBranch,
  ...change,
});
export const deployment = (change: Line = {}): Line => ({ id: 'site', adapter: 'vercel', op: 'deploy', project: 'shop', ...change });

type Doc = ApplyDoc | PlanDoc;

/** The codes that the lines ended with, one each. */
export const codesOf = ({ lines }: Doc): readonly (string | null)[] => lines.map(({ error }) => error?.code ?? null);

/** All that the failed lines say. */
export const saidBy = ({ lines }: Doc): string => lines.map(({ error }) => `${error?.detail ?? ''} ${error?.fix ?? ''}`).join('\n');

export function settled(doc: Doc): void {
  assert.deepEqual(
    codesOf(doc),
    doc.lines.map(() => null),
    saidBy(doc),
  );
  assert.equal(doc.ok, true);
}

/** Nothing is in the ledger of which a later run could believe that it stands. */
export async function nothingRecorded({ stage }: Pick<Hosted<unknown>, 'stage'>): Promise<void> {
  const { records, intents } = await stage.ledger();
  assert.deepEqual([records.size, intents.size], [0, 0]);
}
