import { type DraftedValue, references } from '../draft.ts';
import { kindOf } from '../wiring/kinds.ts';
import type { Wired } from '../wiring/wiring.ts';
import { valueFor } from './fill.ts';
import { draftsOf, isFrom } from './lines.ts';
import type { Handed } from './reasons.ts';
import type { Scene } from './scene.ts';
import type { Site } from './sites.ts';
import type { Owner } from './targets.ts';

/** Finds where each value goes: to the host of its deployable, to the job that builds it, or to nobody. */
export function handedIn(scene: Scene): readonly Handed[] {
  return scene.request.wiring.wired.flatMap((one) => {
    const owner = scene.owners.find(({ provider }) => provider.adapter.name === one.service && isFrom(one, provider));
    return owner && mayTake(one, owner, scene) ? [handedTo(one, owner, scene)] : [];
  });
}

/** The secret of a webhook is for the deployable that takes its calls. Others only share the package that checks them. */
function mayTake({ given, deployable }: Wired, owner: Owner, { placed }: Scene): boolean {
  if (kindOf(given) !== 'signing-secret') return true;
  const lines = references(given.value);
  const sites = placed.filter((one) => one.owner === owner && lines.includes(one.line.id)).flatMap(({ target }) => target.site ?? []);
  return sites.length === 0 || sites.some((site) => site.deployable.folder === deployable);
}

function handedTo(one: Wired, owner: Owner, scene: Scene): Handed {
  const deployed = scene.deployed.find(({ deployable }) => deployable.folder === one.deployable);
  const site = deployed?.site ?? null;
  const value = valueIn(one, owner, { scene, site });
  const base = { ...one, owner, site, value, needs: needsOf(owner, value.value, { scene, site }) };
  if (deployed?.deployable.host?.builds === 'ci') return { ...base, where: 'job', why: null };
  if (site && draftsOf(site.provider, 'variable').length > 0) return { ...base, where: 'host', why: null };
  const why = site ? `${site.provider.adapter.title} takes no variable for one preview.` : deployed?.why;
  return { ...base, where: 'nobody', why: `${one.variable}: ${why ?? 'Nothing deploys what reads it.'}` };
}

interface At {
  readonly scene: Scene;
  readonly site: Site | null;
}

function valueIn({ given, isPrisma, driver }: Wired, owner: Owner, { scene, site }: At): DraftedValue {
  const value = (isPrisma ? given.prisma : undefined) ?? given.value;
  const check = driver === null ? {} : { check: `the code must put ${driver} in place of what this address begins with.` };
  return {
    ...valueFor(value, { repository: scene.request.repository, renamed: scene.renamed(owner, site), todo: given.todo }),
    ...check,
  };
}

/** The lines that give a value: those that it names, or all of the database where it names none. */
function needsOf(owner: Owner, value: DraftedValue['value'], { scene, site }: At): readonly string[] {
  const named = references(value);
  if (named.length > 0) return named;
  const renamed = scene.renamed(owner, site);
  return draftsOf(owner.provider, 'database').map(({ id }) => renamed.get(id) ?? id);
}
