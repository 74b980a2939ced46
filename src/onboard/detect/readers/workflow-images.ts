import type { HostEvidence } from '../facts.ts';
import { joined, startedIn } from './shell.ts';
import type { Job, Step } from './workflow-job.ts';
import { fillExpressions, runnerVariables } from './workflow-values.ts';

/** Hosts that run images. */
const imageHosts =
  /^(?:aws_(?:ecs|app_runner|lambda|ec2|elastic_beanstalk)|aws|cloud_run|gke|kubernetes|own_server|azure_(?:container_apps|app_service)|azure|digitalocean|fly|heroku|render|caprover|dokku|koyeb|northflank|scaleway|scalingo)$/;

/** Folders that hold the images of apps elsewhere. */
const asides =
  /^(?:\.?(?:docker|deploy|deployments?|build|ci|infra|infrastructure|ops|devops|config|github|containers?|images?|k8s|scripts))$/i;

/**
 * What one workflow builds as images tells what its evidence without a folder deploys. The folder is that of the Dockerfile, else the
 * context of the build. A workflow that builds several images deploys several apps.
 */
export function withImages(hosts: readonly HostEvidence[], jobs: readonly Job[]): readonly HostEvidence[] {
  const isOpen = ({ by, folder, provider, targets, isMaker }: HostEvidence): boolean =>
    (by === 'deploy' || by === 'preview') && folder === '' && targets === undefined && isMaker !== true && imageHosts.test(provider);
  if (!hosts.some(isOpen)) return hosts;
  const folders = [...new Set(jobs.flatMap(imagesOf))];
  // The image of the root holds what nobody can tell from here.
  if (folders.length === 0 || folders.includes('')) return hosts;
  return hosts.flatMap((one) => (isOpen(one) ? folders.map((folder) => ({ ...one, targets: [folder] })) : [one]));
}

/** The folders of the images that a job builds; `''` for an image of the root. */
function imagesOf({ steps, known, env, folder }: Job): readonly string[] {
  const fill = (value: unknown): string | undefined => (typeof value === 'string' ? fillExpressions(value, known) : undefined);
  return steps.flatMap((step) => {
    const at = joined('', fill(step.folder ?? folder) ?? '') ?? '';
    const own = new Map([...runnerVariables, ...env, ...step.env.map(([name, value]) => [name, fill(value) ?? ''] as const)]);
    return [...ofAction(step, fill), ...(step.run === null ? [] : ofScript(fill(step.run) ?? '', own, at))];
  });
}

/** Actions that build an image have inputs of the same meanings under a few names. */
function ofAction({ uses, with: given }: Step, fill: (value: unknown) => string | undefined): readonly string[] {
  if (uses === null || !/docker|ecr|buildah|kaniko|image|container|gcr/i.test(uses) || /login|metadata|setup|cache|scan|trivy/i.test(uses))
    return [];
  const input = (...names: readonly string[]): string | undefined =>
    names.map((name) => fill(given[name])).find((value) => value !== undefined);
  const file = input('file', 'dockerfile', 'dockerfiles', 'Dockerfile', 'docker_file');
  const context = input('context', 'path', 'build_context', 'docker_context', 'directory');
  return file === undefined && context === undefined ? [] : placeOf(context ?? '', file, '');
}

function ofScript(text: string, env: ReadonlyMap<string, string>, at: string): readonly string[] {
  return startedIn(text, env).flatMap(({ program, words, folder }) => {
    const isBuild =
      (/^(?:docker|podman|buildah)$/.test(program) && /^(?:build|buildx build|image build|bud)\b/.test(words.join(' '))) ||
      (program === 'gcloud' && words[0] === 'builds' && words[1] === 'submit') ||
      (program === 'az' && words[0] === 'acr' && words[1] === 'build');
    if (!isBuild || folder === null) return [];
    const file = flagOf(words, ['-f', '--file']);
    const context = words.findLast(
      (word, i) => !word.startsWith('-') && !/^-[\w-]+$/.test(words[i - 1] ?? '') && !/^(?:build|submit|bud)$/.test(word),
    );
    return placeOf(context ?? '', file, joined(at, folder) ?? at);
  });
}

function flagOf(words: readonly string[], flags: readonly string[]): string | undefined {
  const i = words.findIndex((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`)));
  const word = words[i];
  return word === undefined ? undefined : word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[i + 1];
}

/** The folder of a Dockerfile, where it tells one, else the context. What nobody can fill tells nothing. */
function placeOf(context: string, file: string | undefined, at: string): readonly string[] {
  const where = joined(at, context);
  // An action resolves its file from the root of the repository, and most commands start there.
  const dockerfile = file === undefined ? null : (joined(at, file.replace(/[^/]+$/, '')) ?? null);
  const isOwn = dockerfile !== null && dockerfile !== '' && !dockerfile.split('/').some((part) => asides.test(part));
  const folder = isOwn ? dockerfile : where;
  return folder === null || folder.includes('{') ? [] : [folder];
}
