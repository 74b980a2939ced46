import { join } from 'node:path';
import type { DeployableDoc, EngineDoc, FoundDoc, InitDoc, MadeByHostDoc, UnsupportedDoc } from '../engine/init-document.ts';
import type { CatalogueService } from './catalogue/load.ts';
import type { Composed } from './compose/compose.ts';
import { alsoOn } from './detect/deployables/choice.ts';
import type { HostEvidence } from './detect/facts.ts';
import type { Evidence } from './detect/ids.ts';
import type { Claim, Deployable } from './detect/survey.ts';
import type { DraftedLine, DraftProvider } from './draft.ts';
import { type Looked, titlesOf } from './look.ts';
import type { Root } from './repository.ts';

type Detected = InitDoc['detected'];
type State = FoundDoc['lines'][number]['state'];

/** What `init` found, as its document says it. */
export interface FoundFacts {
  readonly looked: Looked;
  readonly draft: Composed;
  /** Whether the plan has the line, as a line or as a comment. */
  readonly stateOf: (line: DraftedLine) => State;
  readonly root: Root;
}

/** The members of the document that come from the files of the repository and the draft. */
export function detectedDocs(facts: FoundFacts): Omit<Detected, 'todo' | 'check' | 'assumed'> {
  const { looked, draft, root } = facts;
  const { survey } = looked;
  return {
    found: foundDocs(facts),
    unsupported: claimsOfCatalogue(facts).flatMap(({ claim, service }) => (service.isEngine ? [] : [unsupportedDoc(claim, service, root)])),
    deployables: draft.deployed.flatMap(({ deployable, why }) => [
      deployableDoc(deployable, why, root),
      ...alsoOn(deployable).map((host) => deployableDoc({ ...deployable, host }, null, root)),
    ]),
    made_by_host: survey.claims.flatMap((claim) => madeDoc(claim, facts)),
    engines: claimsOfCatalogue(facts).flatMap(({ claim, service }) => (service.isEngine ? [engineDoc(claim, service, facts)] : [])),
    wired: draft.wired.map(({ variable, deployable, from, where }) => ({ variable, deployable, from, where })),
    unwired: draft.unwired.map(({ service, why }) => ({ service, why })),
    unread: survey.unread.map(({ format, file }) => ({ format, file: join(root.folder, file) })),
    library: survey.library && evidenceText(survey.library, root),
    template: survey.template && evidenceText(survey.template, root),
  };
}

/** An adapter and a recipe family of one provider are one entry. A host that deploys something is an entry as well. */
function foundDocs({ looked, draft, stateOf, root }: FoundFacts): readonly FoundDoc[] {
  const claims = looked.survey.claims.filter(({ from, madeByHost }) => from !== 'catalogue' && madeByHost === null);
  const deployed = looked.survey.deployables.filter(({ host }) => host !== null && managed(looked.providers, host.provider) !== null);
  const names = [...claims.map(({ service }) => service), ...deployed.flatMap(({ host }) => (host ? [host.provider] : []))];
  return [...new Set(names)].sort().map((name) => {
    const own = claims.filter(({ service }) => service === name);
    const at = deployed.filter(({ host }) => host?.provider === name);
    // A host's own file says more than the code that reads one of its variables.
    const ofHosts = at.flatMap(({ host }) => (host?.evidence ?? []).map((one) => evidenceText(ofHost(one), root)));
    const ofClaims = own.flatMap((claim) => claim.evidence.map((one) => evidenceText(one, root))).sort();
    return {
      name,
      title: managed(looked.providers, name)?.adapter.title ?? name,
      evidence: [...new Set([...ofHosts, ...ofClaims])],
      lines: linesOf(name, draft, stateOf),
      deployables: foldersOf(own, at),
    };
  });
}

const managed = (providers: readonly DraftProvider[], name: string): DraftProvider | null =>
  providers.find(({ adapter }) => adapter.name === name) ?? null;

const linesOf = (name: string, { lines }: Composed, stateOf: FoundFacts['stateOf']): FoundDoc['lines'] =>
  lines.filter(({ provider }) => provider.adapter.name === name).map((line) => ({ id: line.id, state: stateOf(line) }));

const foldersOf = (claims: readonly Claim[], deployed: readonly Deployable[]): readonly string[] =>
  [...new Set([...claims.flatMap(({ deployables }) => deployables), ...deployed.map(({ folder }) => folder)])].sort();

function claimsOfCatalogue({ looked }: FoundFacts): readonly { readonly claim: Claim; readonly service: CatalogueService }[] {
  const known = new Map(looked.catalogue.map((service) => [service.name, service]));
  return looked.survey.claims.flatMap((claim) => {
    const service = claim.from === 'catalogue' && claim.madeByHost === null ? known.get(claim.service) : undefined;
    return service ? [{ claim, service }] : [];
  });
}

const unsupportedDoc = (claim: Claim, { name, title, why, ask }: CatalogueService, root: Root): UnsupportedDoc => ({
  name,
  title,
  evidence: claim.evidence.map((one) => evidenceText(one, root)),
  why,
  ask,
  deployables: claim.deployables,
});

function engineDoc(claim: Claim, { name, title, ways }: CatalogueService, { looked, draft, stateOf, root }: FoundFacts): EngineDoc {
  const providers = ways.flatMap((way) => managed(looked.providers, way) ?? []);
  return {
    name,
    title,
    evidence: claim.evidence.map((one) => evidenceText(one, root)),
    deployables: claim.deployables,
    ways: providers.map(({ adapter }) => ({ name: adapter.name, title: adapter.title, lines: linesOf(adapter.name, draft, stateOf) })),
  };
}

const deployableDoc = ({ folder, name, kind, framework, host }: Deployable, why: string | null, root: Root): DeployableDoc => ({
  folder,
  name,
  kind,
  framework,
  host: host?.provider ?? null,
  builds: host?.builds ?? null,
  evidence: (host?.evidence ?? []).map((one) => evidenceText(ofHost(one), root)),
  why,
});

function madeDoc({ service, evidence, madeByHost }: Claim, { looked, root }: FoundFacts): readonly MadeByHostDoc[] {
  if (!madeByHost) return [];
  const { host, what } = madeByHost;
  return [{ name: service, title: titlesOf(looked)(service), host, what, evidence: evidence.map((one) => evidenceText(one, root)) }];
}

const ofHost = ({ file }: HostEvidence): Evidence => ({ file, what: '' });

const evidenceText = ({ file, what }: Evidence, root: Root): string =>
  what === '' ? join(root.folder, file) : `${join(root.folder, file)}: ${what}`;
