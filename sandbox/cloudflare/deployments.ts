import { createHash } from 'node:crypto';
import type { PagesProject } from './pages.ts';

export interface PagesDeployment {
  readonly id: string;
  readonly branch: string;
  readonly commit: string;
  readonly created_on: string;
  readonly environment: 'preview' | 'production';
  /** The variables of the moment when it was made; never answered. */
  readonly env: Readonly<Record<string, string>>;
  stage: 'queued' | 'build' | 'deploy';
  status: 'idle' | 'active' | 'success' | 'failure' | 'canceled';
  isSkipped: boolean;
  polls: number;
  /** Stays where it is until the test moves it. */
  isHeld: boolean;
}

export function deployTo(
  project: PagesProject,
  { branch, commit, at }: { readonly branch: string; readonly commit: string; readonly at: number },
  more: Partial<PagesDeployment>,
): PagesDeployment {
  const environment = branch === 'main' ? 'production' : 'preview';
  const made: PagesDeployment = {
    id: createHash('sha256').update(`${project.name}-${project.deployments.length}`).digest('hex').slice(0, 32),
    branch,
    commit,
    created_on: new Date(at).toISOString().replace('Z', '000Z'),
    environment,
    env: Object.fromEntries(Object.entries(project.configs[environment].env_vars).map(([name, { value }]) => [name, value])),
    stage: 'queued',
    status: 'idle',
    isSkipped: false,
    polls: 0,
    isHeld: false,
    ...more,
  };
  project.deployments.push(made);
  return made;
}

/**
 * The alias of a branch: developers.cloudflare.com/pages/configuration/preview-deployments, and for its length
 * community.cloudflare.com/t/477633 (2026-11-27). A branch without a letter or digit has a random one.
 */
function aliasOf({ branch, id }: PagesDeployment): string {
  let alias = '';
  for (const sign of branch.toLowerCase()) alias += /[a-z0-9]/.test(sign) ? sign : '-'.repeat(sign.length);
  alias = alias.replace(/^-+/, '').replace(/-+$/, '').slice(0, 28);
  return alias === '' ? `branch-${id.slice(0, 10)}` : alias;
}

const shortOf = ({ id }: PagesDeployment): string => id.slice(0, 8);

/** An alias leads to the newest live deployment of its name. */
function aliasesOf({ deployments, subdomain }: PagesProject, one: PagesDeployment): readonly string[] | null {
  if (one.stage !== 'deploy' || one.status !== 'success') return null;
  if (one.environment === 'production') return [`https://${subdomain}`];
  const alias = aliasOf(one);
  const newer = deployments.slice(deployments.indexOf(one) + 1);
  const isLost = newer.some((other) => other.stage === 'deploy' && other.status === 'success' && aliasOf(other) === alias);
  return isLost ? null : [`https://${alias}.${subdomain}`];
}

export const shownDeployment = (project: PagesProject, one: PagesDeployment): Record<string, unknown> => ({
  id: one.id,
  short_id: shortOf(one),
  project_id: `pages-${project.name}`,
  project_name: project.name,
  environment: one.environment,
  url: `https://${shortOf(one)}.${project.subdomain}`,
  aliases: aliasesOf(project, one),
  created_on: one.created_on,
  modified_on: one.created_on,
  is_skipped: one.isSkipped,
  deployment_trigger: {
    type: 'github:push',
    metadata: { branch: one.branch, commit_hash: one.commit, commit_message: '', commit_dirty: false },
  },
  latest_stage: { name: one.stage, status: one.status, started_on: one.created_on, ended_on: null },
  stages: [],
});
