import { type Composed, compose } from '../../src/onboard/compose/compose.ts';
import type { Claim } from '../../src/onboard/detect/survey.ts';
import type { DraftProvider } from '../../src/onboard/draft.ts';
import type { Wired } from '../../src/onboard/wiring/wiring.ts';
import { surveyOf } from './surveys.ts';

/** The draft for an app on one host that reads every value of its services, and has a route for whatever calls it. */
export function draftFor(services: readonly DraftProvider[], host: DraftProvider | null): Composed {
  const base = surveyOf({
    routes: services.map(({ adapter: { name } }) => ({
      path: `/hooks/${name}`,
      methods: ['POST'],
      file: 'src/hooks.ts',
      line: 1,
      words: [name, 'signature'],
    })),
  });
  const chosen = host && {
    provider: host.adapter.name,
    ids: {},
    unclear: {},
    builds: 'host' as const,
    previews: null,
    product: host.adapter.detect?.hosting?.product ?? null,
    evidence: [],
  };
  const from = ({ isRecipe }: DraftProvider) => (isRecipe ? ('family' as const) : ('adapter' as const));
  const claims = services.map(
    (one): Claim => ({
      service: one.adapter.name,
      from: from(one),
      facts: [],
      evidence: [],
      deployables: [''],
      ids: {},
      unclear: {},
      madeByHost: null,
    }),
  );
  const taken = new Set<string>();
  const wired = services.flatMap((one) => {
    const { database, variables = [] } = one.adapter.detect ?? {};
    return [...(database?.variables ?? []), ...variables].flatMap((given): Wired[] => {
      const variable = given.names.find((name) => !taken.has(name));
      if (variable === undefined) return [];
      taken.add(variable);
      const evidence = { file: 'src/env.ts', what: '' };
      return [{ variable, deployable: '', service: one.adapter.name, from: from(one), given, isPrisma: false, driver: null, evidence }];
    });
  });
  const schedules = services.map(({ adapter: { name } }) => ({ file: 'src/jobs.ts', line: 1, by: name }));
  return compose({
    survey: { ...base, deployables: base.deployables.map((one) => ({ ...one, host: chosen })), claims, schedules },
    wiring: { wired, unwired: [] },
    providers: [...services, ...(host ? [host] : [])],
    titleOf: (name) => name,
    ways: [],
    repository: 'shop',
    standing: null,
  });
}
