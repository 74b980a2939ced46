import type { Manifest } from '../facts.ts';
import { baseOf, folderOf, withoutAddress } from '../paths.ts';
import type { Role } from '../survey.ts';

/** What the names of folders say. The first name of a path that says something counts. */
const names: readonly (readonly [Role, RegExp])[] = [
  ['example', /^(?:examples?|samples?|demos?|playgrounds?|sandbox(?:es)?|showcases?|recipes|tutorials?)$/],
  [
    'test',
    /^(?:tests?|__tests?__|specs?|e2e|cypress|playwright|fixtures?|__fixtures__|testdata|__mocks__|mocks?|integration[-_]tests?|benchmarks?|bench|.+[-_.](?:e2e|tests?|specs?|fixtures?))$/,
  ],
  ['docs', /^(?:docs?|documentation|wiki)$/],
  ['template', /^(?:templates?|boilerplates?|skeletons?|scaffold(?:s|ing)?|_template|create-.+-template|.*\{\{.+\}\}.*)$/],
  [
    'helper',
    /^(?:scripts?|tools?|tooling|hack|codegen|generators?|devtools|\.github|\.devcontainer|\.storybook|(?:eslint|prettier|typescript|ts|tailwind|jest|vitest|tsup|biome)[-_]?configs?|tsconfigs?|build[-_]?(?:tools?|logic|src)|buildSrc)$/i,
  ],
];

/** What the folders of a path say of what lies in it; `null` if they say nothing. */
export function roleOfPath(folder: string): Role | null {
  if (folder === '') return null;
  for (const part of folder.split('/')) {
    const [role] = names.find(([, pattern]) => pattern.test(part)) ?? [];
    if (role !== undefined) return role;
  }
  return null;
}

/** What the name of a folder says only if it has a manifest: an app may keep code of its own in `src/experiments`. */
const namesOfUnits: readonly (readonly [Role, RegExp])[] = [
  ['example', /^(?:experiments?|notebooks?|prototypes?|spikes?|pocs?|proofs?-of-concept)$/i],
  ['test', /^(?:perf|load[-_]?tests?|stress[-_]?tests?|.+\.(?:\w*Tests?|Specs?|Benchmarks?))$/],
  ['helper', /^(?:(?:.+[-_.])?(?:importers?|migrators?|backfills?|seeders?)|db[-_]imports?|.+[-_.]migrations?|dependabot)$/i],
];

/** What the folders of a unit say of it. Where apps stand, an importer is one of them. */
export function roleOfUnit(folder: string): Role | null {
  const role = roleOfPath(folder);
  if (role !== null || folder === '') return role;
  for (const part of folder.split('/')) {
    const [said] = namesOfUnits.find(([, pattern]) => pattern.test(part)) ?? [];
    if (said !== undefined) return said === 'helper' && placeOf(folder) === 'apps' ? null : said;
  }
  return null;
}

/** Tells whether a file by its own name is a test. */
export const isTestFile = (file: string): boolean =>
  /(?:[._-](?:test|spec|e2e|stories|story|fixture|mock)s?\.[a-z]{1,4}$|_test\.(?:go|py|exs|rb|dart)$|_spec\.rb$|^test_.+\.py$|^conftest\.py$|(?:Tests?|Spec|IT)\.(?:java|kt|cs|scala|swift|php)$)/.test(
    baseOf(file),
  );

/** Tells whether a file of a unit is none of the code that runs. `rest` is its path from the unit's folder. */
export function isAside(rest: string): boolean {
  if (isTestFile(rest)) return true;
  const role = roleOfPath(folderOf(withoutAddress(rest)));
  // Scripts and templates of an app are its own; their packages, if they have a manifest, are not.
  return role === 'example' || role === 'test' || role === 'docs';
}

/** A name of a package that only the work on code needs. */
const helperName =
  /(?:^|[/@_-])(?:eslint|prettier|tsconfig|typescript-config|tailwind-config|jest-config|vitest-config|codegen|generator|build-tools?)(?:$|[-_/])/;

/** Tells whether a package is a program or settings for the work on code. */
export const isHelperPackage = ({ name }: Manifest): boolean => name !== null && helperName.test(name);

/** A program that starts the other projects of a repository on the machine of a developer. `azd` deploys what it starts. */
export const isOrchestrator = ({ ecosystem, packages }: Manifest): boolean =>
  ecosystem === 'nuget' && packages.some(({ name }) => name === 'Aspire.AppHost.Sdk' || name === 'Aspire.Hosting.AppHost');

/**
 * A text that a tool replaces when the repository is copied: `{{name}}`, `<%= name %>`, `__NAME__`, `{{cookiecutter.slug}}`. `[[...slug]]` is
 * a route and `__tests__` a folder of tests.
 */
export const isPlaceholder = (text: string): boolean => /\{\{.*\}\}|\{%.*%\}|<%.*%>|^__[A-Z0-9_]+__$/.test(text);

/** A site of a package, inside the folder of the package: it has a name that says so, and a build that nobody publishes. */
export const isSite = (folder: string, manifests: readonly Manifest[]): boolean =>
  /\/(?:site|website|docs-site|www|web|app|demo-site)$/.test(folder) &&
  manifests.some(({ ecosystem, isPublished, scripts }) => ecosystem === 'npm' && isPublished === false && 'build' in scripts);

/** Where a workspace keeps its apps, and where the code that they share; `null` for other folders. */
export function placeOf(folder: string): 'apps' | 'packages' | null {
  const above = folder.split('/').slice(0, -1);
  for (const part of above.toReversed()) {
    if (/^(?:apps?|services?|sites?|servers?|functions|workers|lambdas?|bots?|cmd|deployables?)$/.test(part)) return 'apps';
    if (/^(?:packages?|libs?|libraries|crates|modules|internal|pkg|shared|common|plugins|integrations|extensions)$/.test(part))
      return 'packages';
  }
  return null;
}
