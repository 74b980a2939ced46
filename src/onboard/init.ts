import { dirname, join, relative } from 'node:path';
import { Failure } from '../core/errors.ts';
import type { InitDoc, TodoDoc } from '../engine/document.ts';
import type { Registry } from '../ops/registry.ts';
import { defaultEnvironments } from '../plan/context.ts';
import { adopt } from './adopt.ts';
import { findChecks } from './checks.ts';
import { compose } from './compose.ts';
import type { Survey } from './detect/survey.ts';
import type { Draft } from './draft.ts';
import { editorSchema, refreshEditorSchema } from './editor-schema.ts';
import { foundDocs, unsupportedDocs } from './found.ts';
import { assumedProviders, type Looked, look, type SeenProvider } from './look.ts';
import { linesToAdd } from './more.ts';
import { nextStep } from './next-step.ts';
import { findPlan, localFolderIgnored, type PlanFile, replacePlan, writeFirst } from './plan-file.ts';
import { renderPlan } from './render.ts';
import { findRoot, type Root, repositoryName } from './repository.ts';
import { needsOf, type PlanNeeds } from './setup/needs.ts';
import { unsealedIn } from './setup/sealing-needs.ts';
import { splice } from './splice.ts';
import { findTodos, knownParams, orNone, readStanding, type Standing, withFamiliesOf } from './standing.ts';
import type { NamesInUse } from './variable-names.ts';

/** The input of `init`. It reads files of the repository and names of variables, and uses no network and no credential. */
export interface InitRequest {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The lines to add to an existing plan, by the ids from an earlier report. */
  readonly add?: readonly string[];
  /** The lines to add for objects that the provider already has. The object keeps its values. */
  readonly adopt?: readonly string[];
  readonly openRegistry: (options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }) => Promise<Registry>;
}

/**
 * Writes a first plan and keeps `.pilotfish/` out of git. An existing plan is never rewritten: `init` reads it, or adds lines at its end.
 */
export async function init(request: InitRequest): Promise<InitDoc> {
  const { cwd, env } = request;
  const root = await findRoot(cwd);
  const plan = await findPlan(cwd, root);
  const { path } = plan;
  const written = plan.text === null;
  if (written && [...(request.add ?? []), ...(request.adopt ?? [])].length > 0) throw nothingToAddTo(path);
  const known = await request.openRegistry({ env, cwd });
  const registry = await withFamiliesOf(plan.text ?? '', path, known);
  const looked = await look(root.folder, registry);
  const standing = await readStanding(plan.text ?? '', path, registry);
  const isAssumed = looked.seen.every(({ provider }) => (provider.adapter.detect?.draft ?? []).length === 0);
  const seen = isAssumed && written ? [...looked.seen, ...(await assumedProviders(registry))] : looked.seen;
  const draft = await draftOf(seen, { looked, root, standing });
  const gitignore = join(root.folder, '.gitignore');
  const ignore = await localFolderIgnored(gitignore);
  const { text, added } = plan.text === null ? await begin(path, draft, root) : await addTo(plan, plan.text, { draft, standing, request });
  if (!written) await refreshEditorSchema(dirname(path), text);
  const changed = ignore();
  const todo = (await orNone(() => findTodos(text, path))) ?? [];
  const checks = (await orNone(() => findChecks(text, path))) ?? [];
  const needs = await orNone(() => needsOf(text, { path, display: path, registry: known, env }));
  const credentials = credentialsOf(needs, env);
  // The forms and names of credentials decide this. Only the setup looks at their values.
  const unsealed = unsealedIn(needs?.sealing ?? [], { env: {}, isRoleSession: false }).map(({ of }) => of);
  const missing = credentials.filter(({ status }) => status === 'missing').map(({ variable }) => variable);
  const now = added.length === 0 || written ? standing : await readStanding(text, path, registry);
  return {
    schema: 1,
    ok: true,
    command: 'init',
    plan: { path, written, added },
    gitignore: { path: gitignore, changed },
    detected: {
      found: foundDocs(looked.seen, draft, written ? null : now, root),
      unsupported: unsupportedDocs(looked, root),
      todo,
      check: [...checks, ...problemsOf(looked, root)],
      assumed: written && isAssumed,
    },
    credentials,
    unsealed,
    next: nextStep({ text, todo, missing, environments: needs?.environments ?? defaultEnvironments }),
  };
}

async function draftOf(
  seen: readonly SeenProvider[],
  { looked, root, standing }: { readonly looked: Looked; readonly root: Root; readonly standing: Standing },
): Promise<Draft> {
  return compose(
    // A value of the plan goes before a value of a file, which may come from another checkout or an older project.
    seen.map((one) => ({ ...one, ids: { ...one.ids, ...knownParams(standing, one.provider.adapter.name) } })),
    {
      repository: await repositoryName(root),
      names: namesIn(looked.survey),
      standing,
    },
  );
}

/** The names from which code reads a database's address, and those of `.env*` files. */
function namesIn({ variables }: Survey): NamesInUse {
  const opening = variables.filter(({ opens }) => opens !== undefined).sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const named = Map.groupBy(
    variables.filter(({ where }) => where === 'env-file'),
    ({ name }) => name,
  );
  return {
    configured: opening.map(({ name }) => name),
    prisma: opening.filter(({ opens }) => opens?.by === 'prisma').map(({ name }) => name),
    named: [...named]
      .map(([name, all]) => ({ name, hosts: [...new Set(all.flatMap(({ hosts }) => hosts))] }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** The plan as it is now, and the ids of its new lines. */
interface Written {
  readonly text: string;
  readonly added: readonly string[];
}

async function begin(path: string, draft: Draft, root: Root): Promise<Written> {
  const text = renderPlan(draft, { schema: await editorSchema(root.folder) });
  writeFirst(path, text);
  return { text, added: [] };
}

interface Adding {
  readonly draft: Draft;
  readonly standing: Standing;
  readonly request: InitRequest;
}

async function addTo({ path, isWhole }: PlanFile, text: string, { draft, standing, request }: Adding): Promise<Written> {
  const adopted = request.adopt ?? [];
  const lines = linesToAdd([...(request.add ?? []), ...adopted], draft, standing).map((line) =>
    adopted.includes(line.id) ? adopt(line) : line,
  );
  if (lines.length === 0) return { text, added: [] };
  const blocks = draft.blocks.filter(({ provider }) => lines.some((line) => line.provider === provider));
  const display = relative(request.cwd, path) || path;
  if (!isWhole) throw notUtf8(display);
  const next = splice(text, lines, blocks, display);
  replacePlan(path, next);
  return { text: next, added: lines.map(({ id }) => id) };
}

/** Lists every variable that a run of the plan needs, and tells whether it is set. */
function credentialsOf(needs: PlanNeeds | null, env: NodeJS.ProcessEnv): InitDoc['credentials'] {
  if (!needs) return [];
  const status = (variable: string) => (env[variable] ? ('set' as const) : ('missing' as const));
  const known = new Map(
    needs.apis.flatMap(({ provider, variables }) =>
      variables
        .filter(({ isOptional }) => isOptional !== true)
        .map(({ name }) => [name, { variable: name, provider, status: status(name) }]),
    ),
  );
  for (const { variable, lines } of needs.secrets)
    if (!known.has(variable)) known.set(variable, { variable, provider: lines.join(', '), status: status(variable) });
  return [...known.values()];
}

const problemsOf = ({ survey }: Looked, root: Root): readonly TodoDoc[] =>
  survey.problems.map(({ file, why }) => ({ path: '', hint: why, file: join(root.folder, file), line: 0 }));

const nothingToAddTo = (path: string): Failure =>
  new Failure('USAGE', {
    detail: `${path} does not exist, so there is no plan to add a line to.`,
    fix: 'Run `pilotfish init` first: it writes a plan with a line for each service that it finds.',
  });

const notUtf8 = (display: string): Failure =>
  new Failure('PLAN_PARSE', {
    detail: `${display} is not valid UTF-8, so pilotfish cannot write its text back unchanged. Nothing was written.`,
    fix: 'Save the file as UTF-8.',
  });
