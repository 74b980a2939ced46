import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shellQuote } from '../../core/how-to-set.ts';
import type { Origin } from './code-host.ts';
import { gitlabPipelineText } from './gitlab-pipeline.ts';
import type { PlanNeeds } from './needs.ts';
import type { Release } from './release.ts';
import { copiedAction, minuteOf, passing, type WorkflowNeeds, workflowFile, workflowText } from './workflow.ts';

/** A repository on a host that pilotfish knows. */
type Repository = Exclude<Origin, { host: 'other' }>;

/** The file with which CI of this repository runs pilotfish. */
export interface CiFile {
  /** The path below the root of the repository. */
  readonly path: string;
  /** An existing file that already does the same; `null` if there is none. */
  readonly there: FileThere | null;
  /** `null` where only a release can write it. */
  readonly text: ((facts: CiFacts) => string) | null;
  /** Sentences about the rest that a person must do by hand, for a repository with this default branch; `null` if nothing is left. */
  readonly left: ((defaultBranch: string) => string) | null;
  /** The row with which a job receives a secret; `null` if every job receives all secrets. */
  readonly passing: ((name: string) => string) | null;
}

export interface CiFacts {
  readonly needs: WorkflowNeeds & PlanNeeds;
  /** The path of the plan from the root of the repository; `null` if pilotfish finds the plan there by itself. */
  readonly plan: string | null;
  /** `owner/name` */
  readonly repository: string;
  readonly defaultBranch: string;
}

interface FileThere {
  /** The path below the root. */
  readonly path: string;
  readonly text: string;
}

/** Tells whether the jobs sign in with a token of their own. They then get AWS keys of a session. */
export const signsInByToken = (there: FileThere | null): boolean =>
  there !== null && /^[^#\n]*\bid-token:[ \t]*["']?write\b|^[ \t]*id_tokens:/m.test(there.text);

/** The CI file for the host of the repository; `null` for a host whose CI pilotfish cannot write. */
export async function ciFileOf(origin: Origin, root: string, release: Release | null): Promise<CiFile | null> {
  switch (origin.host) {
    case 'github':
      return {
        path: workflowFile,
        there: await workflowThere(root, release),
        text: (facts) => workflowText({ ...facts, release }),
        left: release === null ? () => copyFirst : null,
        passing,
      };
    case 'gitlab':
      return await gitlabFile(root, origin, release);
    case 'other':
      return null;
  }
}

const copyFirst = `This pilotfish is no release, so the workflow uses the action at the path ${copiedAction}: run \`npm run bundle\` in its checkout, copy its folder \`action\` there, and commit the copy with the workflow.`;

const pipelineFile = '.gitlab-ci.yml';
/** The path for a project that already has a pipeline file of its own. */
const includedFile = '.gitlab/pilotfish.yml';
const token = 'It needs a project access token (Developer, `api` and `write_repository`) as the masked CI/CD variable GITLAB_TOKEN';

/** The sweep runs by a schedule, which stands in no file. */
function scheduleOf({ server, slug, cli }: Repository, branch: string): string {
  const repository = server === 'gitlab.com' ? slug : `https://${server}/${slug}`;
  const to = `--repo ${repository} --cron "${minuteOf(slug)} * * * *" --ref ${shellQuote(branch)} --description "pilotfish sweep"`;
  return `Make the schedule of the sweep once: \`${cli.program} schedule create ${to}\`.`;
}

async function gitlabFile(root: string, origin: Repository, release: Release | null): Promise<CiFile> {
  const own = await readFile(join(root, pipelineFile), 'utf8').catch(() => null);
  const isIncluded = own !== null || existsSync(join(root, pipelineFile));
  const second = await readFile(join(root, includedFile), 'utf8').catch(() => (existsSync(join(root, includedFile)) ? '' : null));
  const there =
    own !== null && /\bpilotfish\b/.test(own)
      ? { path: pipelineFile, text: own }
      : second === null
        ? null
        : { path: includedFile, text: second };
  return {
    path: isIncluded ? includedFile : pipelineFile,
    there,
    // A job that stops an environment has no checkout, so it could not use a path.
    text: release && ((facts) => gitlabPipelineText({ ...facts, release })),
    left: (branch) => {
      const included = isIncluded ? `, and this in ${pipelineFile}: \`include: [{ local: ${includedFile} }]\`` : '';
      return `${token}${included}. ${scheduleOf(origin, branch)}`;
    },
    passing: null,
  };
}

/**
 * Finds a workflow that already does the work of ours: the file of our name, or a file that uses the action. A second workflow would do
 * everything twice. Returns `null` if there is none. Paths are below the root.
 */
async function workflowThere(root: string, release: Release | null): Promise<FileThere | null> {
  const folder = dirname(workflowFile);
  const names = await readdir(join(root, folder)).catch(() => []);
  const read = (name: string): Promise<string> => readFile(join(root, folder, name), 'utf8').catch(() => '');
  const ours = names.find((name) => /^pilotfish\.ya?ml$/.test(name));
  if (ours !== undefined) return { path: `${folder}/${ours}`, text: await read(ours) };
  // The action also stands at the root of its repository.
  const actions =
    release === null ? [copiedAction] : [`${release.repository}/action@`, `${release.repository}@`].map((one) => one.toLowerCase());
  for (const name of names.filter((one) => /\.ya?ml$/.test(one)).sort()) {
    const text = await read(name);
    const used = text.matchAll(/^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?(\S+)/gm);
    if ([...used].some(([, uses = '']) => actions.some((action) => uses.toLowerCase().startsWith(action))))
      return { path: `${folder}/${name}`, text };
  }
  return null;
}
