import { delimiter } from 'node:path';
import type { Account } from 'pilotfish-sandbox/accounts/account';
import { accounts } from 'pilotfish-sandbox/accounts/index';
import { type LogEntry, mount, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { onTestFinished } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { openPrograms } from '../support/programs.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { type Knowledge, providersOf } from './fill-in.ts';

/** Names that a team gave to its sites and servers. */
export const words: Readonly<Record<string, string>> = {
  'your-app': 'shop-${ctx.scope}',
  'your-app-pr': 'shop-pr',
  'your-app-id': 'd2xyz0abc1def',
  'your-service': 'shop',
  'your-service-pr': 'shop-pr',
  'your-site': 'acme-shop',
  'your-organization': 'acme',
  'your-preview': 'pr-${ctx.pr.number}',
};

/** Accounts at every provider that a plan names, and a person who knows them. `atEnd`: who closes what it opens. */
export function openCompany(plan: string, atEnd: (close: () => Promise<void>) => void = onTestFinished, pull = 12) {
  const clock = new LeapingClock();
  const tokens = { full: 'ya29.signed-in-as-a-person' };
  const own = new Map(
    providersOf(plan).map((provider): [string, Account] => {
      const open = accounts[provider];
      if (!open) throw new Error(`nobody has an account at ${provider}`);
      return [provider, open({ clock, tokens, plan, pull })];
    }),
  );
  const knowledge: Knowledge = {
    valueOf: (provider, param, placeholder = '') => own.get(provider)?.named?.[placeholder] ?? own.get(provider)?.values[param],
    // Each host's word for the part of an address that a preview has of its own.
    wordFor: (placeholder) => words[placeholder] ?? (/-preview$/.test(placeholder) ? words['your-preview'] : undefined),
    isOwn: (provider, param) => own.get(provider)?.keeps?.includes(param) === true,
  };
  const simulations = [...own.values()].map(({ simulation }) => simulation);
  const secrets = Object.fromEntries(Array.from(plan.matchAll(/env:\/\/(\w+)/g), ([, name]) => [name, 'a-long-random-text-0123']));
  const credentials: Readonly<Record<string, string>> = Object.assign(secrets, ...[...own.values()].map((one) => one.credentials));
  const written = () => simulations.flatMap((simulation) => simulation.writes()).filter(({ path }) => !path.endsWith('/oauth/token'));

  /** A PATH with the CLIs that hand out tokens of the person who is signed in to them. */
  async function signedIn(): Promise<string> {
    const programs = await openPrograms();
    atEnd(() => programs.close());
    const asks = { gcloud: 'auth print-access-token', az: 'account get-access-token --query accessToken -o tsv' };
    for (const [program, asked] of Object.entries(asks))
      await programs.add(program, `args.join(' ') === '${asked}' ? out('${tokens.full}\\n') : fail(2, 'unknown');`);
    return `${programs.PATH}${delimiter}${process.env.PATH}`;
  }

  /** A folder with a text as its plan. */
  async function stageOf(text: string): Promise<Stage> {
    const env = { ...credentials, ...ledgerKey, PATH: await signedIn() };
    const stage = await openStage({ simulations, env, plan: text, clock });
    atEnd(() => stage.close());
    return stage;
  }

  return {
    simulations,
    credentials,
    knowledge,
    signedIn,
    stageOf,
    /** What changed anything at a provider; throws where one saw a request that it does not know. */
    writes: (): readonly LogEntry[] => {
      verifyHandled(simulations);
      return written();
    },
    /** What a run needs to reach the accounts. */
    world: { dispatcher: mount(simulations), clock },
  };
}

export type Company = ReturnType<typeof openCompany>;
