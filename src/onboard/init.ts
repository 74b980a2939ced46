import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Registry } from '../adapters/registry.ts';
import { Failure } from '../core/errors.ts';
import { locatePlan, planFileName } from '../plan/locate.ts';
import type { InitDoc, TodoDoc } from '../report/document.ts';
import { adopt } from './adopt.ts';
import { findChecks } from './checks.ts';
import { compose } from './compose.ts';
import type { Draft } from './draft.ts';
import { editorSchema, refreshEditorSchema } from './editor-schema.ts';
import { foundDocs, unsupportedDocs } from './found.ts';
import { withIgnored } from './gitignore.ts';
import { assumedProviders, type Looked, look, type SeenProvider } from './look.ts';
import { linesToAdd } from './more.ts';
import { nextStep } from './next-step.ts';
import { renderPlan } from './render.ts';
import { findRoot, type Root, repositoryName } from './repository.ts';
import { readNeeds } from './setup/needs.ts';
import { splice } from './splice.ts';
import { knownParams, readStanding, type Standing } from './standing.ts';
import { findTodos } from './todos.ts';

/** Where `init` runs. It reads files of the repository and names of variables; no network, no credential. */
export interface InitRequest {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Lines that an existing plan is to get, by the ids that an earlier run told. */
  readonly add?: readonly string[];
  /** The same, for what is there already at the provider: what it holds stays. */
  readonly adopt?: readonly string[];
  readonly openRegistry: (options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }) => Promise<Registry>;
}

/** Writes a first plan and keeps `.pilotfish/` out of git. A plan that is there is never rewritten: it is looked at, or gets lines. */
export async function init(request: InitRequest): Promise<InitDoc> {
  const { cwd, env } = request;
  const root = await findRoot(cwd);
  const registry = await request.openRegistry({ env, cwd });
  const looked = await look(root.folder, registry);
  const plan = await planAt(cwd, root);
  const written = plan.text === null;
  if (written && [...(request.add ?? []), ...(request.adopt ?? [])].length > 0) throw nothingToAddTo(plan.path);
  const standing = await readStanding(plan.text ?? '', plan.path, registry);
  const isAssumed = looked.seen.every(({ provider }) => (provider.adapter.detect?.draft ?? []).length === 0);
  const seen = isAssumed && written ? [...looked.seen, ...assumedProviders(registry)] : looked.seen;
  const draft = await draftOf(seen, { looked, root, standing });
  const added = written ? await writeFirst(plan.path, draft, root) : await addTo(plan, draft, standing, request);
  if (plan.text !== null) await refreshEditorSchema(dirname(plan.path), plan.text);
  const gitignore = join(root.folder, '.gitignore');
  const changed = await ignoreLocalFolder(gitignore);
  const todo = await marksOf(plan.path, findTodos);
  const credentials = await credentialsOf(plan.path, registry, env);
  const now = added.length > 0 && !written ? await readStanding(await readFile(plan.path, 'utf8'), plan.path, registry) : standing;
  return {
    schema: 1,
    ok: true,
    command: 'init',
    plan: { path: plan.path, written, added: written ? [] : added },
    gitignore: { path: gitignore, changed },
    detected: {
      found: foundDocs(looked.seen, draft, written ? null : now, root),
      unsupported: unsupportedDocs(looked, root),
      todo,
      check: [...(await marksOf(plan.path, findChecks)), ...problemsOf(looked, root)],
      assumed: written && isAssumed,
    },
    credentials,
    next: nextStep({
      text: (await orNone(() => readFile(plan.path, 'utf8'))) ?? '',
      todo,
      missing: credentials.filter(({ status }) => status === 'missing').map(({ variable }) => variable),
    }),
  };
}

interface PlanAt {
  readonly path: string;
  /** `null` where there is no plan yet. */
  readonly text: string | null;
}

/** The plan that `plan` and `apply` would take from here. */
async function planAt(cwd: string, root: Root): Promise<PlanAt> {
  const path = await existingPlan(cwd);
  if (path === null) return { path: join(root.folder, planFileName), text: null };
  try {
    return { path, text: await readFile(path, 'utf8') };
  } catch (cause) {
    throw new Failure('USAGE', {
      detail: `${path} could not be read (${codeOf(cause)}).`,
      fix: 'Put a plan file in its place, or remove it so that `pilotfish init` writes one.',
      cause,
    });
  }
}

async function existingPlan(cwd: string): Promise<string | null> {
  try {
    return await locatePlan(cwd, null);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'PLAN_PARSE') return null;
    throw thrown;
  }
}

async function draftOf(
  seen: readonly SeenProvider[],
  { looked, root, standing }: { readonly looked: Looked; readonly root: Root; readonly standing: Standing },
): Promise<Draft> {
  const { variables, databaseVariables } = looked.repository;
  return compose(
    // What the plan says goes before what files say: those may be of another checkout or an older project.
    seen.map((one) => ({ ...one, ids: { ...one.ids, ...knownParams(standing, one.provider.adapter.name) } })),
    {
      repository: await repositoryName(root),
      names: { configured: databaseVariables.map(({ name }) => name), named: variables },
      standing,
    },
  );
}

async function writeFirst(path: string, draft: Draft, root: Root): Promise<readonly string[]> {
  const text = renderPlan(draft, { schema: await editorSchema(root.folder) });
  // Somebody else may write one between the look and the write: that one stays.
  await writeFile(path, text, { flag: 'wx' }).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  return draft.lines.filter(({ aside }) => aside === null).map(({ id }) => id);
}

async function addTo({ path, text }: PlanAt, draft: Draft, standing: Standing, request: InitRequest): Promise<readonly string[]> {
  const adopted = request.adopt ?? [];
  const lines = linesToAdd([...(request.add ?? []), ...adopted], draft, standing).map((line) =>
    adopted.includes(line.id) ? adopt(line) : line,
  );
  if (lines.length === 0 || text === null) return [];
  const blocks = draft.blocks.filter(({ provider }) => lines.some((line) => line.provider === provider));
  const next = splice(text, lines, blocks, relative(request.cwd, path) || path);
  // In one step, so that a plan is never half-written.
  const beside = join(dirname(path), `.${planFileName}.${process.pid}`);
  try {
    await writeFile(beside, next, { flag: 'wx' });
    await rename(beside, path);
  } catch (cause) {
    throw unwritable(path, cause);
  }
  return lines.map(({ id }) => id);
}

async function ignoreLocalFolder(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw unwritable(path, cause);
  });
  const next = withIgnored(text);
  if (next === null) return false;
  await writeFile(path, next).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  return true;
}

/** A plan that does not parse is not this command's to judge: `plan` says what is wrong with it, and where. */
async function marksOf(path: string, find: (text: string, file: string) => readonly TodoDoc[]): Promise<readonly TodoDoc[]> {
  return (await orNone(async () => find(await readFile(path, 'utf8'), path))) ?? [];
}

async function credentialsOf(path: string, registry: Registry, env: NodeJS.ProcessEnv): Promise<InitDoc['credentials']> {
  const needs = await orNone(() => readNeeds({ path, display: path, registry, env }));
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

async function orNone<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure || (thrown instanceof Error && ('code' in thrown || 'failures' in thrown))) return null;
    throw thrown;
  }
}

const problemsOf = ({ repository }: Looked, root: Root): readonly TodoDoc[] =>
  repository.problems.map(({ file, why }) => ({ path: '', hint: why, file: join(root.folder, file), line: 0 }));

const nothingToAddTo = (path: string): Failure =>
  new Failure('USAGE', {
    detail: `There is no ${path} that a line could be added to.`,
    fix: 'Run `pilotfish init` first: it writes one, with a line for all that it finds.',
  });

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason');

function unwritable(path: string, cause: unknown): Failure {
  return new Failure('USAGE', {
    detail: `${path} could not be written (${codeOf(cause)}).`,
    fix: 'Run `pilotfish init` in a folder that can be written.',
    cause,
  });
}
