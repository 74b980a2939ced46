import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mount } from 'pilotfish-sandbox/kit/index';
import type { Json, JsonMap } from '../../src/core/json.ts';
import { Redactor } from '../../src/core/redact.ts';
import { maskEnvironment } from '../../src/engine/prepare/secret-variables.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
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

export interface SandboxOptions {
  readonly request?: Partial<LiveRequest>;
  readonly world?: Partial<LiveWorld>;
}

/** Proves an operation at its simulation, in a world of its own. Pauses take no time. */
export async function proveInSandbox(described: Described, { request, world }: SandboxOptions = {}): Promise<Proven> {
  let tap: Tap | null = null;
  const clock = new LeapingClock({ isBusy: () => (tap?.open ?? 0) > 0 });
  const { simulation, subject } = described.open(clock);
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-live-'));
  const dispatcher = mount([simulation]);
  const env = { PATH: process.env.PATH, HOME: folder, ...subject.env, ...credentialOf(subject, simulation, 'full') };
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

/** The plan of the suite's line. */
function fileOf(described: Described, subject: Subject): string {
  const { changes, ...plan } = JSON.parse(planOf(described, subject.params, subject)) as { readonly changes: readonly JsonMap[] } & {
    readonly [key: string]: Json;
  };
  return JSON.stringify({ ...plan, changes });
}
