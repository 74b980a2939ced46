import { formsIn, spelled } from 'pilotfish-sandbox/untidy/spelling';
import { tap } from 'pilotfish-sandbox/untidy/wire';
import { hasScope, valuesIn } from '../support/untidy/ours.ts';
import { capitals } from '../support/untidy/worlds/texts.ts';
import type { Scene } from './scene.ts';

/** Families that cannot be shown so, with the reason. */
export const tidyOnly: { readonly [family: string]: string } = {
  'mongodb_atlas.database_user': 'Digest signs the path that the name stands in',
  's3.bucket_cors': 'its requests are signed over what they hold',
  'cloud_run.revision': 'a tag is a part of a host name, in lower case',
  'http.resource.adopted': 'what is adopted is named as it is shown',
  mixed: 'an address in capitals is refused where a host name is needed',
};

/** The same scene at providers that show what has the scope in it in capitals. */
export const untidied = (scene: Scene): Scene => ({
  ...scene,
  open: (clock) => {
    const site = scene.open(clock);
    const { first, updated, replaced } = site.plans;
    const plans = [first, updated, replaced].flatMap((plan): unknown[] => (plan === undefined ? [] : [JSON.parse(plan)]));
    const forms = formsIn(valuesIn(plans).filter(hasScope), new Set(), capitals);
    if (forms) for (const simulation of site.simulations) tap(simulation, spelled(forms));
    return site;
  },
});
