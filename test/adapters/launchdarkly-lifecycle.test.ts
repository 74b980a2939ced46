import { launchdarkly } from 'pilotfish-sandbox/launchdarkly';
import { describeOp } from '../support/describe-recipe.ts';

const byPlace = 'the variations of a flag are told apart by their place in its list, which the provider alone gives';

const flag = 'shop/checkout';
const where = { project_key: 'shop', flag_key: 'checkout', environment_key: 'test' };

// Users stand in another list than all other kinds.
for (const kind of ['user', 'deployment']) describeKind(kind);

function describeKind(context_kind: string): void {
  describeOp('launchdarkly.flag_target', {
    simulate: launchdarkly,
    subject: ({ world }) => {
      world.addFlag(flag, ['test', 'staging']);
      for (const kind of ['user', 'deployment', 'device']) {
        world.serve(flag, 'test', 0, 'pr-13', kind);
        world.serve(flag, 'test', 1, 'pr-14', kind);
        world.serve(flag, 'staging', 1, 'pr-12', kind);
        if (kind !== context_kind) world.serve(flag, 'test', 1, 'pr-12', kind);
      }
      const serve = (to: number): void => {
        world.release(flag, 'test', 'pr-12', context_kind);
        world.serve(flag, 'test', to, 'pr-12', context_kind);
      };
      // What a key is served is no object of its own at the provider.
      const mine = () =>
        world.servedTo(flag, 'test', 'pr-12', context_kind).map((variation) => ({
          get variation() {
            return variation;
          },
          set variation(to) {
            serve(to);
          },
        }));
      const othersIn = (environment: string) =>
        world.environment(flag, environment).targets.flatMap(({ values, variation, contextKind }) => {
          const isMine = (key: string) => environment === 'test' && contextKind === context_kind && key === 'pr-12';
          return values.filter((key) => !isMine(key)).map((key) => ({ key, variation, contextKind }));
        });
      return {
        credential: 'LAUNCHDARKLY_ACCESS_TOKEN',
        params: { ...where, context_kind, context_key: 'pr-12', variation: true },
        mine,
        others: () => [othersIn('test'), othersIn('staging')],
        stands: { variation: 0 },
        edits: { variation: { variation: 1 } },
        changes: { variation: { variation: false } },
        remove: () => world.release(flag, 'test', 'pr-12', context_kind),
        foreign: () => world.serve(flag, 'test', 0, 'pr-12', context_kind),
        requests: {
          create: ({ method, text }) => method === 'PATCH' && text.includes('addTargets'),
          remove: ({ method, text }) => method === 'PATCH' && text.includes('removeTargets'),
        },
      };
    },
    skip: {
      twoMatches: 'a key stands under a variation once',
      'untidy silently-dropped': byPlace,
      'untidy shown-otherwise': byPlace,
      'untidy synonym-respelled': byPlace,
      'untidy set-semantics': byPlace,
    },
  });
}
