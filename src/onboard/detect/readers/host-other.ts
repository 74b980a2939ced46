import type { Fact, FactReader, HostEvidence } from '../facts.ts';
import { baseOf, folderOf } from '../paths.ts';
import { dataReader, evidence, lineOf, listOf, mapOf, mapsOf, namesIn, pairsOf, type Said, textOf, variablesIn } from './host-file.ts';
import { joined } from './shell.ts';

/** Kamal: servers of one's own. Its other containers (`accessories`) are made once, and not for a preview. */
const plainKamal = dataReader('kamal', /(?:^|\/)config\/deploy(?:\.[\w-]+)?\.ya?ml$/, (root, file, asked) => {
  if (root.image === undefined || (root.servers === undefined && root.service === undefined)) return null;
  const env = mapOf(root.env);
  const secrets = listOf(env.secret).map((name) => [textOf(name) ?? '', ''] as const);
  const variables = variablesIn([...pairsOf(env.clear ?? env), ...secrets], file, asked);
  const images = Object.values(mapOf(root.accessories)).flatMap((one): readonly Fact[] => {
    const image = textOf(mapOf(one).image);
    return image === undefined
      ? []
      : [{ kind: 'image', name: withoutTag(image), file: file.path, line: lineOf(file.text, image), use: 'runtime' }];
  });
  return {
    hosts: [evidence(file, { provider: 'kamal', folder: folderOf(folderOf(file.path)), ...namesIn(variables) })],
    variables,
    facts: images,
  };
});

/** Its file may be a template of ERB. A line of Ruby alone goes away, and a value is a name that nobody knows. */
const kamal: FactReader = {
  ...plainKamal,
  read: (file, asked) =>
    plainKamal.read(
      file.text.includes('<%')
        ? { ...file, text: file.text.replace(/^[ \t]*<%[^\n]*%>[ \t]*$/gm, '').replace(/<%[^%\n]*%>/g, 'unknown') }
        : file,
      asked,
    ),
};

/** `registry:5000/acme/web:v1@sha256:…` without its tag and digest. */
export const withoutTag = (image: string): string => image.replace(/@sha256:.*$/, '').replace(/:[\w.${}-]+$/, '');

/** The kinds of services of Platform.sh by the beginning of their type. */
const engines: readonly (readonly [beginning: string, service: string])[] = [
  ['postgresql', 'postgres'],
  ['mariadb', 'mysql'],
  ['mysql', 'mysql'],
  ['oracle-mysql', 'mysql'],
  ['redis', 'redis'],
  ['valkey', 'redis'],
  ['mongodb', 'mongodb'],
  ['elasticsearch', 'elasticsearch'],
  ['opensearch', 'opensearch'],
  ['rabbitmq', 'rabbitmq'],
  ['kafka', 'kafka'],
  ['memcached', 'memcached'],
  ['solr', 'solr'],
];

function clones(services: unknown): HostEvidence['makes'] {
  return Object.entries(mapOf(services)).flatMap(([name, service]) => {
    const type = textOf(mapOf(service).type) ?? '';
    const engine = engines.find(([beginning]) => type.startsWith(beginning))?.[1];
    return engine === undefined
      ? []
      : [{ service: engine, what: `the service ${name}, with a copy of its parent's data in each environment` }];
  });
}

/** Platform.sh and Upsun give each branch an environment with services of its own. */
const platformSh: readonly FactReader[] = [
  dataReader('platform-app', /(?:^|\/)\.platform\.app\.ya?ml$/, (root, file) => ({
    hosts: root.type === undefined ? [] : [evidence(file, { provider: 'platform_sh', previews: 'each', builds: 'host' })],
  })),
  dataReader('platform-services', /(?:^|\/)\.platform\/services\.ya?ml$/, (root, file) => ({
    hosts: [
      evidence(file, { provider: 'platform_sh', folder: folderOf(folderOf(file.path)), previews: 'each', makes: clones(root) ?? [] }),
    ],
  })),
  dataReader('upsun', /(?:^|\/)\.(?:upsun|platform)\/(?:config|applications)\.ya?ml$/, (root, file, asked) => {
    const base = folderOf(folderOf(file.path));
    const applications = Object.values('applications' in root ? mapOf(root.applications) : root).map(mapOf);
    const variables = variablesIn(
      applications.flatMap((one) => pairsOf(mapOf(one.variables).env)),
      file,
      asked,
    );
    const folders = new Set(applications.map((one) => joined(base, textOf(mapOf(one.source).root) ?? '') ?? base));
    const makes = clones(root.services) ?? [];
    return {
      hosts: [...folders].map((folder) =>
        evidence(file, { provider: 'platform_sh', folder, previews: 'each', builds: 'host', ...(makes.length > 0 && { makes }) }),
      ),
      variables,
    };
  }),
];

const vapor = dataReader('vapor', /(?:^|\/)vapor\.ya?ml$/, (root, file) =>
  root.environments === undefined ? null : { hosts: [evidence(file, { provider: 'laravel_vapor' })] },
);
const deno = dataReader('deno-deploy', /(?:^|\/)deno\.jsonc?$/, (root, file) => {
  const { project, app, org } = mapOf(root.deploy);
  return project === undefined && app === undefined && org === undefined ? null : { hosts: [evidence(file, { provider: 'deno_deploy' })] };
});
const cloudFoundry = dataReader(
  'cloud-foundry',
  /(?:^|\/)(?:manifest(?:[.-][\w-]+)?|(?:manifests|cf|cloud-?foundry)\/[\w.-]+)\.ya?ml$/,
  (root, file) => {
    if (!mapsOf(root.applications).some((one) => 'memory' in one || 'buildpacks' in one || 'buildpack' in one)) return null;
    // A folder of manifests has one for each app, and the name of a file tells which.
    const name = baseOf(file.path).replace(/\..*$/, '');
    const app = name.replace(/[-_](?:prod|production|live|staging|stage|dev|development|test|preview)$/, '');
    const isOwn = name.startsWith('manifest');
    return { hosts: [evidence(file, { provider: 'cloud_foundry', ...(!isOwn && { folder: '', targets: [app] }) })] };
  },
);
const expo = dataReader('eas', /(?:^|\/)eas\.json$/, (root, file, asked) => {
  const variables = variablesIn(
    Object.values(mapOf(root.build)).flatMap((profile) => pairsOf(mapOf(profile).env)),
    file,
    asked,
  );
  return { hosts: [evidence(file, { provider: 'expo_eas', builds: 'host', ...namesIn(variables) })], variables };
});

interface Known extends Pick<Said, 'provider' | 'by' | 'product'> {
  readonly path: RegExp;
  readonly mark?: RegExp;
  /** The folder, from that of the file. */
  readonly from?: (folder: string) => string;
}

/** Lagoon labels each container of its compose file with a type, and makes these databases for each branch. */
const lagoonTypes: readonly (readonly [string, string])[] = [
  ['mariadb', 'mariadb'],
  ['mysql', 'mysql'],
  ['postgres', 'postgres'],
  ['redis', 'redis'],
  ['solr', 'solr'],
  ['opensearch', 'opensearch'],
  ['elasticsearch', 'elasticsearch'],
  ['rabbitmq', 'rabbitmq'],
  ['mongo', 'mongodb'],
];
const lagoon: readonly FactReader[] = [
  dataReader('lagoon', /(?:^|\/)\.lagoon\.ya?ml$/, (root, file) =>
    'environments' in root || 'docker-compose-yaml' in root
      ? { hosts: [evidence(file, { provider: 'lagoon', builds: 'host', previews: 'each' })] }
      : null,
  ),
  dataReader('lagoon-compose', /(?:^|\/)docker-compose[\w.-]*\.ya?ml$/, (root, file) => {
    const types = Object.values(mapOf(root.services)).flatMap((service) => textOf(mapOf(mapOf(service).labels)['lagoon.type']) ?? []);
    const made = lagoonTypes.filter(([word]) => types.some((type) => type.split('-')[0] === word)).map(([, service]) => service);
    if (types.length === 0) return null;
    const makes = made.map((service) => ({ service, what: 'a container of each branch' }));
    return { hosts: [evidence(file, { provider: 'lagoon', builds: 'host', previews: 'each', makes })] };
  }),
];

const above =
  (levels: number) =>
  (folder: string): string =>
    folder.split('/').slice(0, -levels).join('/');

/** Folders of what runs on the machine of a developer. */
const isLocal = /(?:^|\/)(?:dev|development|local|kind|minikube|tilt)\//;

/** Files whose name, with a mark in their text, is enough. */
const known: readonly Known[] = [
  { path: /(?:^|\/)Chart\.yaml$/, mark: /^apiVersion:/m, provider: 'kubernetes' },
  { path: /(?:^|\/)(?:kustomization|skaffold|cdk8s)\.ya?ml$/, provider: 'kubernetes' },
  {
    // A tool fills in the gaps of a template: ERB of krane, Jinja of Ansible, Go of gomplate.
    path: /(?:^|\/)(?:\.?k8s|\.?kube|(?:k8s|kube|kubernetes)[-_]?(?:manifests|templates)?|manifests?|deploy|deployments?|gitops|argocd|flux|helm|ytt|overlays|base|infra)\/.*\.ya?ml(?:\.(?:erb|j2|jinja2?|tmpl|tpl|gotmpl|mustache|template|in))?$/,
    mark: /^kind:[ \t]*["']?(?:Deployment|StatefulSet|DaemonSet)\b/m,
    provider: 'kubernetes',
  },
  { path: /(?:^|\/)\.?cloud66\/(?:manifest|deploy_hooks|service)\.ya?ml$/, provider: 'cloud66', from: above(1) },
  { path: /(?:^|\/)captain-definition$/, provider: 'caprover' },
  { path: /(?:^|\/)zbpack(?:\.[\w-]+)?\.json$/, provider: 'zeabur' },
  { path: /(?:^|\/)koyeb\.ya?ml$/, provider: 'koyeb' },
  { path: /(?:^|\/)northflank\.(?:json|ya?ml)$/, provider: 'northflank' },
  { path: /(?:^|\/)scalingo\.json$/, provider: 'scalingo' },
  {
    path: /(?:^|\/)(?:\.clever\.json|clevercloud\/[\w.-]+\.json)$/,
    provider: 'clever_cloud',
    from: (folder) => folder.replace(/(?:^|\/)clevercloud$/, ''),
  },
  { path: /(?:^|\/)porter(?:[.-][\w-]+)?\.ya?ml$/, mark: /^(?:version|services|apps):/m, provider: 'porter' },
  { path: /(?:^|\/)\.qovery\.ya?ml$/, provider: 'qovery' },
  { path: /(?:^|\/)encore\.app$/, provider: 'encore' },
  { path: /(?:^|\/)Capfile$/, provider: 'own_server' },
  { path: /(?:^|\/)config\/deploy\.rb$/, mark: /\b(?:set|lock)\b/, provider: 'own_server', from: above(1) },
  { path: /(?:^|\/)Envoy\.blade\.php$/, mark: /\/home\/forge\b|\bforge@/, provider: 'laravel_forge' },
  { path: /(?:^|\/)Envoy\.blade\.php$/, mark: /@servers\b/, provider: 'own_server' },
  { path: /(?:^|\/)deploy\.php$/, mark: /Deployer/, provider: 'own_server' },
  { path: /(?:^|\/)ecosystem\.config\.c?js$/, mark: /\bapps\b/, provider: 'own_server', by: 'word' },
  { path: /(?:^|\/)(?:docker-)?compose[.-](?:prod|production|deploy|live)\.ya?ml$/, provider: 'own_server', by: 'word' },
  { path: /(?:^|\/)Shuttle\.toml$/, provider: 'shuttle' },
  { path: /(?:^|\/)\.replit$/, mark: /^\[deployment\]/m, provider: 'replit', by: 'word' },
  { path: /(?:^|\/)fastlane\/Fastfile$/, mark: /upload_to|pilot|deliver|supply/, provider: 'app_stores', from: above(1) },
  { path: /(?:^|\/)convex\/(?:schema|http|crons|auth\.config|convex\.config)\.[tj]s$/, provider: 'convex', product: 'functions' },
  { path: /(?:^|\/)supabase\/functions\/[\w-]+\/index\.[tj]sx?$/, provider: 'supabase', product: 'functions', from: above(1) },
  { path: /(?:^|\/)supabase\/functions\/deno\.jsonc?$/, provider: 'supabase', product: 'functions' },
  { path: /^(?:docs\/)?CNAME$/, provider: 'github_pages', by: 'word' },
];

const isScript = (path: string): boolean => ['.ts', '.js', '.tsx', '.jsx'].some((ending) => path.endsWith(ending));
/** The names of the scripts among them. */
const scriptNames = /^(?:schema|http|crons|auth\.config|convex\.config|index|ecosystem\.config)\.[tj]sx?$/;
const mayShow = ['convex/', 'supabase/', 'ecosystem.'];

const marked: FactReader = {
  name: 'other-hosts',
  names: (name) => !isScript(name) || scriptNames.test(name),
  // Most files of a repository are code, and the code of few folders shows a host.
  takes: (path) => (!isScript(path) || mayShow.some((word) => path.includes(word))) && known.some((one) => one.path.test(path)),
  endings: [
    'yaml',
    'yml',
    'erb',
    'j2',
    'jinja',
    'jinja2',
    'tmpl',
    'tpl',
    'gotmpl',
    'mustache',
    'template',
    'in',
    'json',
    'jsonc',
    'rb',
    'php',
    'js',
    'cjs',
    'ts',
    'jsx',
    'tsx',
    'toml',
    'app',
    'replit',
    'captain-definition',
    'capfile',
    'fastfile',
    'cname',
  ],
  read: (file) => ({
    hosts: known
      .filter(({ path, mark }) => path.test(file.path) && (mark?.test(file.text) ?? true))
      .slice(0, 1)
      .map(({ path: _, mark: __, from, ...said }) =>
        evidence(file, { ...said, ...(isLocal.test(file.path) && { by: 'word' as const }), folder: (from ?? String)(folderOf(file.path)) }),
      ),
  }),
};

export const otherHosts: readonly FactReader[] = [kamal, ...platformSh, vapor, deno, cloudFoundry, expo, ...lagoon, marked];
