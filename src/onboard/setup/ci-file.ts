import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Origin } from './code-host.ts';
import { gitlabPipelineText } from './gitlab-pipeline.ts';
import type { PlanNeeds } from './needs.ts';
import type { Release } from './release.ts';
import { workflowFile, workflowText } from './workflow.ts';

/** What CI of this repository runs pilotfish by. */
export interface CiFile {
  /** Below the root of the repository. */
  readonly path: string;
  /** The file that does already what this one would; `null` where there is none. */
  readonly there: string | null;
  readonly text: (facts: { readonly release: Release; readonly needs: PlanNeeds; readonly plan: string | null }) => string;
  /** What is left to do by hand once it is written; `null` where nothing is. */
  readonly left: string | null;
}

/** The file for the host of the repository; `null` where nobody knows how its CI is written. */
export async function ciFileOf(origin: Origin, root: string, release: Release | null): Promise<CiFile | null> {
  switch (origin.host) {
    case 'github':
      return { path: workflowFile, there: await workflowThere(root, release), text: workflowText, left: null };
    case 'gitlab':
      return await gitlabFile(root);
    case 'other':
      return null;
  }
}

const pipelineFile = '.gitlab-ci.yml';
/** Where the project has a file of its own by that name. */
const includedFile = '.gitlab/pilotfish.yml';
const token = 'It needs a project access token (Developer, `api` and `write_repository`) as the masked CI/CD variable GITLAB_TOKEN';

async function gitlabFile(root: string): Promise<CiFile> {
  const own = await readFile(join(root, pipelineFile), 'utf8').catch(() => null);
  const isIncluded = own !== null || existsSync(join(root, pipelineFile));
  const there = own !== null && /\bpilotfish\b/.test(own) ? pipelineFile : existsSync(join(root, includedFile)) ? includedFile : null;
  return {
    path: isIncluded ? includedFile : pipelineFile,
    there,
    text: gitlabPipelineText,
    left: isIncluded ? `${token}, and this in ${pipelineFile}: \`include: [{ local: ${includedFile} }]\`.` : `${token}.`,
  };
}

/**
 * The workflow of the repository that does already what ours would: the file of our name, or one that uses the action. Beside it ours
 * would make everything twice. `null` where there is none; names of files are below the root.
 */
export async function workflowThere(root: string, release: Release | null): Promise<string | null> {
  const folder = dirname(workflowFile);
  const names = await readdir(join(root, folder)).catch(() => []);
  const ours = names.find((name) => /^pilotfish\.ya?ml$/.test(name));
  if (ours !== undefined) return `${folder}/${ours}`;
  if (release === null) return null;
  const action = `${release.repository}/action@`.toLowerCase();
  for (const name of names.filter((one) => /\.ya?ml$/.test(one)).sort()) {
    const text = await readFile(join(root, folder, name), 'utf8').catch(() => '');
    const used = text.matchAll(/^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?(\S+)/gm);
    if ([...used].some(([, uses = '']) => uses.toLowerCase().startsWith(action))) return `${folder}/${name}`;
  }
  return null;
}
