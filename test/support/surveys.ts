import type { Rename, Route, VariableUse } from '../../src/onboard/detect/facts.ts';
import type { Claim, Deployable, Survey, Unit } from '../../src/onboard/detect/survey.ts';
import type { Source } from '../../src/onboard/wiring/wiring.ts';
import type { DraftVariable, ValueKind } from '../../src/ops/detect.ts';

/** A survey of a repository with the given folders, each of them deployed unless `packages` has it. */
export function surveyOf(facts: {
  readonly apps?: { readonly [folder: string]: readonly string[] };
  readonly packages?: readonly string[];
  readonly variables?: readonly VariableUse[];
  readonly renames?: readonly Rename[];
  readonly routes?: readonly Route[];
  readonly services?: readonly string[];
  readonly isTemplate?: boolean;
}): Survey {
  const apps = facts.apps ?? { '': [] };
  const unit = (folder: string, role: Unit['role'], reaches: readonly string[]): Unit => ({ folder, manifests: [], role, reaches });
  const folders = Object.keys(apps);
  return {
    root: '/repository',
    units: [
      ...Object.entries(apps).map(([folder, reaches]) => unit(folder, 'app', reaches)),
      ...(facts.packages ?? []).map((folder) => unit(folder, 'package', [])),
    ],
    deployables: folders.map(
      (folder): Deployable => ({ folder, name: folder || 'app', kind: 'web', framework: null, host: null, others: [] }),
    ),
    claims: (facts.services ?? []).map(
      (service): Claim => ({
        service,
        from: 'adapter',
        facts: [],
        evidence: [],
        deployables: folders,
        ids: {},
        unclear: {},
        madeByHost: null,
      }),
    ),
    variables: facts.variables ?? [],
    renames: facts.renames ?? [],
    routes: facts.routes ?? [],
    schedules: [],
    template: facts.isTemplate ? { file: 'README.md', what: '' } : null,
    library: null,
    unread: [],
    problems: [],
    isCut: false,
  };
}

/** A name that code reads; `extra` says more of the place. */
export const read = (name: string, file = 'src/index.ts', extra: Partial<VariableUse> = {}): VariableUse => ({
  name,
  file,
  line: 1,
  where: 'code',
  use: 'runtime',
  hosts: [],
  schemes: [],
  ...extra,
});

/** A name of an example file. */
export const listed = (name: string, file = '.env.example', extra: Partial<VariableUse> = {}): VariableUse =>
  read(name, file, { where: 'env-file', ...extra });

/** A provider whose values are `<service>.<kind>`. */
export function sourceOf(
  service: string,
  names: { readonly [kind in ValueKind]?: readonly string[] },
  extra: Partial<Source> = {},
): Source {
  const variables = Object.entries(names).map(
    ([kind, known]): DraftVariable => ({ names: known, kind: kind as ValueKind, value: { from: `${service}.${kind}` } }),
  );
  return { service, from: 'adapter', title: service, deployables: [''], variables, engine: null, hosts: [], packages: [], ...extra };
}
