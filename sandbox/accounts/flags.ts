import { configcat } from '../configcat.ts';
import { flagsmith } from '../flagsmith.ts';
import { growthbook } from '../growthbook.ts';
import { posthog } from '../posthog.ts';
import { split } from '../split.ts';
import { statsig } from '../statsig.ts';
import { unleash } from '../unleash.ts';
import { account, type OpenAccount } from './account.ts';

/** Accounts at providers of feature flags that have recipes. */
export const flags: { readonly [provider: string]: OpenAccount } = {
  configcat: ({ clock }) => {
    const simulation = configcat({ clock });
    const environment_id = '08d86d63-2726-47cd-8bfc-59608ecb91e2';
    simulation.world.addFlag(environment_id, 1523);
    const credentials = { CONFIGCAT_API_USER: simulation.world.user, CONFIGCAT_API_PASS: simulation.tokens.full };
    return account(simulation, credentials, { environment_id, setting_id: '"1523"' });
  },
  flagsmith: ({ clock }) => {
    const simulation = flagsmith({ clock });
    simulation.world.addProject(1204);
    return account(simulation, 'FLAGSMITH_API_KEY', { project: '1204' });
  },
  growthbook: ({ clock }) => {
    const simulation = growthbook({ clock });
    simulation.world.addFeature('new-checkout', ['dev', 'production']);
    return account(simulation, 'GROWTHBOOK_API_KEY', { feature_id: 'new-checkout', environment: 'dev' });
  },
  posthog: ({ clock }) => {
    const simulation = posthog({ clock });
    simulation.world.addFlag(58123, 40211, { groups: [], multivariate: null, payloads: {}, aggregation_group_type_index: null });
    return account(simulation, 'POSTHOG_PERSONAL_API_KEY', { project_id: '"58123"', flag_id: '"40211"' });
  },
  split: ({ clock }) => {
    const simulation = split({ clock });
    const [workspace_id, feature_flag, environment_id] = ['5a6b7c80', 'new_checkout', '6b7c8d90'];
    simulation.world.addFlag(workspace_id, feature_flag, environment_id);
    return account(simulation, 'SPLIT_ADMIN_API_KEY', { workspace_id, feature_flag, environment_id });
  },
  statsig: ({ clock }) => {
    const simulation = statsig({ clock });
    simulation.world.addGate('new_checkout');
    return account(simulation, 'STATSIG_CONSOLE_KEY', { gate_id: 'new_checkout' });
  },
  unleash: ({ clock }) => {
    const simulation = unleash({ clock });
    simulation.world.addFlag('default', 'checkout', ['development', 'production']);
    return account(simulation, 'UNLEASH_API_TOKEN', { feature: 'checkout', environment: 'development', base_url: simulation.origin });
  },
};
