import { mount, type Simulation } from 'pilotfish-sandbox/kit/index';
import { Failure } from '../../src/core/errors.ts';
import { Redactor } from '../../src/core/redact.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { secretAccess, secretReader } from '../../src/engine/prepare/secret-access.ts';
import { createClient } from '../../src/http/client.ts';
import type { RequestFacts } from '../../src/http/shared.ts';
import { checkSecret } from '../../src/secrets/index.ts';
import { fastClock } from '../support/fast-clock.ts';
import { LeapingClock } from '../support/leaping-clock.ts';

/** The sources of a run, as a line's `{ secret }` meets them: over a server in memory, or over the wire to where `env` says. */
export async function openAccess(
  simulation: Simulation,
  env: Readonly<Record<string, string>>,
  { isWired = false }: { readonly isWired?: boolean } = {},
) {
  const clock = isWired ? fastClock(20) : new LeapingClock();
  const redactor = new Redactor();
  const run = new AbortController();
  const requests: RequestFacts[] = [];
  const dispatcher = mount([simulation]);
  const sources = await openRegistry({ env: {}, cwd: '/' });
  const client = createClient({
    env,
    redactor,
    clock,
    ...(!isWired && { dispatcher }),
    signal: run.signal,
    random: () => 0,
    onRequest: (facts) => requests.push(facts),
  });
  const access = secretAccess({ env, signal: run.signal, client, run: () => Promise.reject(new Error('no program is to be started')) });
  const read = secretReader({ sources, access, redactor, clock });
  return {
    run,
    redactor,
    /** Attempts as they are reported. */
    requests,
    /** `GET <path>?<query>` of what the server saw. */
    seen: (): readonly string[] =>
      simulation.log.map(({ method, path, query }) => {
        const search = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
        return [`${method} ${path}`, ...search].join('?');
      }),
    check: (reference: string, given: NodeJS.ProcessEnv = env) => checkSecret(sources, reference, given),
    read: async (reference: string) => (await read(reference)).reveal(),
    failure: async (reference: string): Promise<Failure> => {
      const thrown = await read(reference).then(
        () => new Error(`${reference} was read`),
        (error: unknown) => error,
      );
      if (thrown instanceof Failure) return thrown;
      throw thrown;
    },
    close: async () => {
      client.close();
      dispatcher.verify();
    },
  };
}

export type OpenedAccess = Awaited<ReturnType<typeof openAccess>>;
