import type { HostEvidence } from '../facts.ts';
import { baseOf, folderOf } from '../paths.ts';
import { joined, type Started } from './shell.ts';

/** An image that a workflow builds: the folder whose app it holds, and words that its file names. */
export interface Image {
  readonly folder: string;
  readonly targets: readonly string[];
}

type Input = (key: string) => string | undefined;

/** Actions that build an image, with their inputs for the folder and the file. */
const actions: { readonly [action: string]: { readonly context: string; readonly file: string } } = {
  'docker/build-push-action': { context: 'context', file: 'file' },
  'redhat-actions/buildah-build': { context: 'context', file: 'containerfiles' },
  'elgohr/publish-docker-github-action': { context: 'workdir', file: 'dockerfile' },
  'kciter/aws-ecr-action': { context: 'path', file: 'dockerfile' },
  'mr-smithers-excellent/docker-build-push': { context: 'directory', file: 'dockerfile' },
  'macbre/push-to-ghcr': { context: 'context', file: 'dockerfile' },
  'whoan/docker-build-with-cache-action': { context: 'context', file: 'dockerfile' },
};

export function imageOfAction(name: string, input: Input, folder: string): Image | null {
  const action = actions[name.toLowerCase()];
  if (action) return imageIn(folder, input(action.context), input(action.file));
  if (!buildsImages.test(name) || noBuild.test(name)) return null;
  // An action of which nobody knows what it does builds an image where it is given a Dockerfile.
  const file = input('dockerfile') ?? input('Dockerfile') ?? input('docker_file') ?? input('file');
  return file === undefined ? null : imageIn(folder, input('context') ?? input('path') ?? input('build_context'), file);
}

const buildsImages = /docker|[/_-]ecr|buildah|kaniko|image|container|[/_-]gcr/i;
const noBuild = /login|metadata|setup|cache|scan|trivy|lint|test/i;

/** `docker build -f apps/web/Dockerfile .`, `gcloud builds submit api`, `az acr build -r x api`. */
export function imageOf({ program, words, folder }: Started, outer: string): Image | null {
  const bare = words.filter((word, i) => !word.startsWith('-') && !/^-(?:-?[\w-]+)$/.test(words[i - 1] ?? ''));
  const isBuild =
    (/^(?:docker|podman|buildah|nerdctl)$/.test(program) && /^(?:buildx |image )?(?:build|bud)\b/.test(bare.join(' '))) ||
    (program === 'gcloud' && /^builds submit\b/.test(bare.join(' '))) ||
    (program === 'az' && /^acr build\b/.test(bare.join(' ')));
  if (!isBuild) return null;
  const at = words.findIndex((word) => /^(?:-f|--file)$/.test(word));
  const file = at >= 0 ? words[at + 1] : words.find((word) => word.startsWith('--file='))?.slice('--file='.length);
  // The folder stands at the end for Docker, and behind the verb for the clouds' own builds.
  const last = program === 'gcloud' || program === 'az' ? bare[2] : words.at(-1);
  const context = last !== undefined && /^[\w./][\w./-]*$/.test(last) && last !== 'build' ? last : undefined;
  return imageIn(folder === null ? outer : (joined(outer, folder) ?? outer), context, file);
}

/** Folders that hold the images of apps elsewhere. */
const asides =
  /^(?:\.?(?:docker|deploy|deployments?|build|ci|infra|infrastructure|ops|devops|config|github|containers?|images?|k8s|scripts))$/i;

/** Where the whole repository goes into the image, the place and the name of the file tell the app: `apps/web/Dockerfile`, `web.Dockerfile`. */
function imageIn(folder: string, context: string | undefined, file: string | undefined): Image {
  const inner = joined(folder, context === undefined || /[${]|:\/\//.test(context) ? '' : context) ?? folder;
  const path = file === undefined || file.includes('$') ? null : joined(folder, file);
  const word = /^(?:Dockerfile[.-]([\w-]+)|([\w-]+)\.(?:Docker|Container)file)$/i.exec(path === null ? '' : baseOf(path));
  const targets = [word?.[1] ?? word?.[2]].flatMap((one) => one ?? []);
  const isWhole =
    inner === folder &&
    path !== null &&
    folderOf(path) !== '' &&
    !folderOf(path)
      .split('/')
      .some((part) => asides.test(part));
  return { folder: isWhole ? folderOf(path) : inner, targets };
}

/** Hosts that run an image that the workflow built before. */
const runsImages =
  /^(?:aws_(?:ecs|app_runner|lambda|ec2|elastic_beanstalk)|aws|cloud_run|gke|kubernetes|azure_(?:container_apps|app_service)|azure|own_server|digitalocean|fly|heroku|render|caprover|dokku|koyeb|northflank|scaleway|scalingo)$/;

/** Evidence of a job that names no folder is of each image that the job builds, or else its workflow. */
export function ofImages(one: HostEvidence, images: readonly Image[]): readonly HostEvidence[] {
  const isPlaced = one.folder !== '' || (one.targets ?? []).length > 0 || (one.by !== 'deploy' && one.by !== 'preview');
  // The image of the root holds what nobody can tell from here.
  const hasRoot = images.some(({ folder, targets }) => folder === '' && targets.length === 0);
  if (images.length === 0 || hasRoot || isPlaced || one.isMaker || !runsImages.test(one.provider)) return [one];
  return images.map(({ folder, targets }) => ({ ...one, folder, ...(targets.length > 0 && { targets }) }));
}
