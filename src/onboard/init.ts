import { dirname, join, relative } from 'node:path';
import { Failure } from '../core/errors.ts';
import type { FoundDoc, InitDoc, TodoDoc } from '../engine/init-document.ts';
import type { Registry } from '../ops/registry.ts';
import { defaultEnvironments } from '../plan/context.ts';
import { readYaml } from '../plan/read-yaml.ts';
import { accepted } from './accepted.ts';
import { adopt } from './adopt.ts';
import { findChecks } from './checks.ts';
import { commentedLines, isCommented } from './commented.ts';
import { type Composed, compose } from './compose/compose.ts';
import { sourcesOf, waysOf } from './compose/sources.ts';
import type { DraftedLine } from './draft.ts';
import { editorSchema, refreshEditorSchema } from './editor-schema.ts';
import { detectedDocs } from './found.ts';
import { type Looked, look, titlesOf } from './look.ts';
import { linesToAdd } from './more.ts';
import { nextStep, previewEnvironment } from './next-step.ts';
import { findPlan, localFolderIgnored, type PlanFile, replacePlan, writeFirst } from './plan-file.ts';
import { renderPlan } from './render.ts';
import { findRoot, type Root, repositoryName } from './repository.ts';
import { needsOf, type PlanNeeds } from './setup/needs.ts';
import { unsealedIn } from './setup/sealing-needs.ts';
import { splice } from './splice.ts';
import { findTodos, orNone, readStanding, type Standing, stands, withFamiliesOf } from './standing.ts';
import { wire } from './wiring/wire.ts';

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
  const draft = await draftOf(looked, { root, env, standing: written ? null : standing });
  const gitignore = join(root.folder, '.gitignore');
  const ignore = await localFolderIgnored(gitignore);
  const { text, added } = plan.text === null ? await begin(path, draft, root) : await addTo(plan, plan.text, { draft, standing, request });
  if (!written) await refreshEditorSchema(dirname(path), text);
  const changed = ignore();
  const yaml = await orNone(() => readYaml(text, path));
  const todo = yaml ? findTodos(text, path, yaml) : [];
  const checks = yaml ? findChecks(text, path, yaml) : [];
  const needs = await orNone(() => needsOf(text, { path, display: path, registry: known, env }));
  const credentials = credentialsOf(needs, env);
  // The forms and names of credentials decide this. Only the setup looks at their values.
  const unsealed = unsealedIn(needs?.sealing ?? [], { env: {}, isRoleSession: false }).map(({ of }) => of);
  const missing = credentials.filter(({ status }) => status === 'missing').map(({ variable }) => variable);
  const now = added.length > 0 ? await readStanding(text, path, registry) : standing;
  const docs = detectedDocs({ looked, draft, stateOf: stateIn({ text, standing: now, written }), root });
  return {
    schema: 1,
    ok: true,
    command: 'init',
    plan: { path, written, added },
    gitignore: { path: gitignore, changed },
    detected: { ...docs, todo, check: [...checks, ...problemsOf(looked, root)], assumed: false },
    credentials,
    unsealed,
    next: nextStep({ text, todo, missing, environments: needs?.environments ?? defaultEnvironments, detected: docs }),
  };
}

/** Tells what the plan has of a drafted line. */
function stateIn({ text, standing, written }: { readonly text: string; readonly standing: Standing; readonly written: boolean }) {
  const comments = commentedLines(text);
  return (line: DraftedLine): FoundDoc['lines'][number]['state'] => {
    if (written) return line.aside === null ? 'line' : 'comment';
    if (stands(standing, line)) return 'there';
    return isCommented(comments, line) ? 'comment' : 'new';
  };
}

/** The lines that a repository asks for, beside those that stand in its plan. */
export async function draftOf(
  looked: Looked,
  { root, env, standing }: { readonly root: Root; readonly env: NodeJS.ProcessEnv; readonly standing: Standing | null },
): Promise<Composed> {
  const { survey, providers } = looked;
  const draft = compose({
    survey,
    wiring: wire(survey, sourcesOf(looked)),
    providers,
    titleOf: titlesOf(looked),
    ways: waysOf(looked),
    repository: await repositoryName(root, env),
    standing,
  });
  return accepted(draft);
}

/** The plan as it is now, and the ids of its new lines. */
interface Written {
  readonly text: string;
  readonly added: readonly string[];
}

async function begin(path: string, draft: Composed, root: Root): Promise<Written> {
  const text = renderPlan(draft, { schema: await editorSchema(root.folder) });
  writeFirst(path, text);
  return { text, added: [] };
}

interface Adding {
  readonly draft: Composed;
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
  const next = splice(text, lines, blocks, { file: display, environment: environmentFor(standing) });
  replacePlan(path, next);
  return { text: next, added: lines.map(({ id }) => id) };
}

/** A line of a draft is for previews. A plan with other environments has to say so. */
function environmentFor({ environments }: Standing): string | null {
  const preview = previewEnvironment(environments);
  return preview === null || environments.length === 1 ? null : preview;
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
