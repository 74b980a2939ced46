import { delimiter } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PlanDoc } from '../../src/report/document.ts';
import { type LogEntry, mount, verifyHandled } from '../simulate/kit/index.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openPrograms } from '../support/programs.ts';
import { openStage } from '../support/stage.ts';
import { type Account, accounts } from './accounts.ts';
import { type Knows, providersOf } from './fill-in.ts';

/** Accounts at every provider that a plan names, and a person who knows them. */
export function openCompany(plan: string) {
  const clock = new LeapingClock();
  const tokens = { full: 'ya29.signed-in-as-a-person' };
  const own = new Map(
    providersOf(plan).map((provider): [string, Account] => {
      const open = accounts[provider];
      if (!open) throw new Error(`nobody has an account at ${provider}`);
      return [provider, open({ clock, tokens, plan })];
    }),
  );
  const knows: Knows = (provider, param) => {
    const value = own.get(provider)?.values[param];
    if (value === undefined) throw new Error(`nobody knows ${param} of ${provider}`);
    return value;
  };
  const simulations = [...own.values()].map(({ simulation }) => simulation);
  const credentials: Readonly<Record<string, string>> = Object.assign({}, ...[...own.values()].map((account) => account.credentials));

  const written = () => simulations.flatMap((simulation) => simulation.writes()).filter(({ path }) => !path.endsWith('/oauth/token'));

  /** Plans a text for pull request 12 in a folder of its own. */
  async function plan12(text: string): Promise<PlanDoc> {
    const programs = await openPrograms();
    onTestFinished(() => programs.close());
    await programs.add('gcloud', `args.join(' ') === 'auth print-access-token' ? out('${tokens.full}\\n') : fail(2, 'unknown');`);
    const PATH = `${programs.PATH}${delimiter}${process.env.PATH}`;
    const stage = await openStage({ simulations, env: { ...credentials, PATH }, plan: text, clock });
    onTestFinished(() => stage.close());
    return await stage.plan({ pr: 12 });
  }

  return {
    credentials,
    knows,
    plan: plan12,
    /** What changed anything at a provider; throws where one saw a request that it does not know. */
    writes: (): readonly LogEntry[] => {
      verifyHandled(simulations);
      return written();
    },
    /** What a run needs to reach the accounts. */
    world: { dispatcher: mount(simulations), clock },
  };
}
