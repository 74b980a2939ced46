import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mount, type Simulation } from 'pilotfish-sandbox/kit/index';
import { Redactor } from '../../src/core/redact.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { maskEnvironment } from '../../src/engine/prepare/secret-variables.ts';
import { runApply, runPlan } from '../../src/engine/run.ts';
import type { LiveRequest, LiveWorld, Proof } from '../../src/live/live.ts';
import { prove } from '../../src/live/live.ts';
import type { Tap } from '../../src/live/tap.ts';
import type { Described } from '../crash/collect/described.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { credentialOf, planOf } from '../support/suite/bench.ts';
import type { Subject } from '../support/suite/subject.ts';

/** A proof in a simulated account, and what stood in it before and after. */
export interface Proven {
  readonly proof: Proof;
  readonly before: unknown;
  readonly after: unknown;
  /** What the line made and is there. */
  readonly mine: readonly unknown[];
  readonly said: readonly string[];
}

/** The simulated account of one proof, as somebody else sees it. */
export interface Account {
  readonly simulation: Simulation;
  readonly subject: Subject;
}

export interface SandboxOptions {
  /** Prepares the account, and changes what the proof gets. */
  readonly arrange?: (account: Account) => {
    readonly request?: Partial<LiveRequest>;
    readonly world?: Partial<LiveWorld>;
    readonly env?: { readonly [name: string]: string };
  };
  /** Another account than a fresh one. */
  readonly account?: Account;
}

/** Proves an operation at its simulation, in a world of its own. Pauses take no time. */
export async function proveInSandbox(described: Described, options: SandboxOptions = {}): Promise<Proven> {
  let tap: Tap | null = null;
  const clock = new LeapingClock({ isBusy: () => (tap?.open ?? 0) > 0 });
  const account = options.account ?? described.open(clock);
  const { simulation, subject } = account;
  const { request, world, env: more } = options.arrange?.(account) ?? {};
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-live-'));
  const dispatcher = mount([simulation]);
  const env = { PATH: process.env.PATH, HOME: folder, ...subject.env, ...credentialOf(subject, simulation, 'full'), ...more };
  const redactor = new Redactor();
  maskEnvironment(redactor, env);
  const before = structuredClone(subject.others());
  const said: string[] = [];
  const { branch = 'feature', sha = '1'.repeat(40), pr = null } = subject.run ?? {};
  try {
    const proof = await prove(
      {
        cwd: folder,
        env,
        operation: described.op,
        with: [],
        file: { name: 'line.json', text: fileOf(described, subject) },
        folder: join(folder, 'ledger-of-live'),
        git: { branch, sha, pr },
        server: 'the simulation',
        leaves: true,
        waitTimeoutMs: 200_000,
        leaseTimeoutMs: 200_000,
        ...request,
      },
      {
        runner: { runPlan, runApply },
        registry: await openRegistry({ env, cwd: folder }),
        redactor,
        signal: new AbortController().signal,
        say: (line) => said.push(redactor.text(line)),
        confirm: async (text) => void said.push(redactor.text(text)),
        dispatcher,
        clock,
        scopes,
        onTap: (opened) => {
          tap = opened;
        },
        ...world,
      },
    );
    return { proof, before, after: structuredClone(subject.others()), mine: subject.mine(), said };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The plan of the suite's line, with the scope where its names have it. */
const fileOf = (described: Described, subject: Subject): string =>
  planOf(described, subject.params, subject).replaceAll(suiteScope, '${ctx.scope}');

/** The scope of the suite. The second object has the name of the first, because some names of a line are objects of its account. */
const suiteScope = 'pr-12';
const scopes = [suiteScope, suiteScope] as const;
