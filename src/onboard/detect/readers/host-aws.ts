import type { FactReader, HostEvidence, Reading, SourceFile } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { dataReader, evidence, lineOf, mapOf, mapsOf, namesIn, pairsOf, textOf, variablesIn } from './host-file.ts';
import { idsOf } from './host-ids.ts';
import { joined } from './shell.ts';

const region = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
const regionOf = (value: unknown): string | undefined => (typeof value === 'string' && region.test(value) ? value : undefined);
const amplifyIds = (app: unknown, where: unknown): HostEvidence['ids'] => {
  const place = regionOf(where);
  return idsOf({
    app_id: typeof app === 'string' && /^d[a-z0-9]{5,19}$/.test(app) ? app : undefined,
    'provider.region': place,
    'provider.base_url': place && `https://amplify.${place}.amazonaws.com`,
  });
};

/** Parts of a backend of Amplify, which each branch gets for itself. */
const amplifyParts: { readonly [part: string]: string } = {
  auth: 'cognito',
  data: 'appsync',
  storage: 's3',
  Cognito: 'cognito',
  AppSync: 'appsync',
  S3: 's3',
  DynamoDB: 'dynamodb',
};

const madeOf = (parts: readonly string[]): Pick<HostEvidence, 'makes'> => {
  const services = new Set(parts.flatMap((part) => amplifyParts[part] ?? []));
  return services.size > 0
    ? { makes: [...services].map((service) => ({ service, what: 'part of the backend that each branch gets' })) }
    : {};
};

/** Amplify: the build settings name the folder of each app, and what its program writes names the app and the region. */
const amplify: readonly FactReader[] = [
  dataReader('amplify', /(?:^|\/)amplify\.ya?ml$/, (root, file, asked) => {
    const base = folderOf(file.path);
    const apps = mapsOf(root.applications);
    const variables = variablesIn(pairsOf(mapOf(root.env).variables), file, asked);
    const folders = apps.length > 0 ? apps.map(({ appRoot }) => joined(base, textOf(appRoot) ?? '') ?? base) : [base];
    return {
      hosts: folders.map((folder) => evidence(file, { provider: 'amplify', folder, builds: 'host', ...namesIn(variables) })),
      variables,
    };
  }),
  dataReader('amplify-team', /(?:^|\/)amplify\/(?:[\w-]+\/)?team-provider-info\.json$/, (root, file) => {
    const above = folderOf(file.path).replace(/(?:^|\/)amplify(?:\/.*)?$/, '');
    const stacks = Object.values(root).map((environment) => mapOf(mapOf(environment).awscloudformation));
    return {
      hosts: stacks.map(({ AmplifyAppId, Region }) =>
        evidence(file, {
          provider: 'amplify',
          by: 'link',
          folder: above,
          line: lineOf(file.text, textOf(AmplifyAppId) ?? ''),
          ids: amplifyIds(AmplifyAppId, Region),
        }),
      ),
    };
  }),
  dataReader('amplify-backend-config', /(?:^|\/)amplify\/backend\/backend-config\.json$/, (root, file) => {
    const parts = Object.values(root).flatMap((group) => Object.values(mapOf(group)).flatMap((one) => textOf(mapOf(one).service) ?? []));
    return { hosts: [evidence(file, { provider: 'amplify', folder: folderOf(folderOf(folderOf(file.path))), ...madeOf(parts) })] };
  }),
  dataReader('amplify-outputs', /(?:^|\/)customHttp\.ya?ml$|(?:^|\/)amplify_outputs\.json$/, (_, file) => ({
    hosts: [evidence(file, { provider: 'amplify' })],
  })),
  {
    name: 'amplify-backend',
    names: (name) => name === 'backend.ts',
    takes: (path) => path.endsWith('amplify/backend.ts'),
    endings: ['ts'],
    read: (file) => {
      const parts = Object.keys(amplifyParts).filter((part) =>
        new RegExp(`\\b${part}\\b`).test(/defineBackend\(([\s\S]{0,2000})/.exec(file.text)?.[1] ?? ''),
      );
      return { hosts: [evidence(file, { provider: 'amplify', folder: folderOf(folderOf(file.path)), ...madeOf(parts) })] };
    },
  },
];

const serverlessProviders: { readonly [name: string]: string } = {
  aws: 'aws_lambda',
  google: 'cloud_functions',
  azure: 'azure_functions',
  cloudflare: 'cloudflare',
};

const serverless = dataReader('serverless', /(?:^|\/)serverless(?:[.-][\w-]+)*\.(?:ya?ml|json)$/, (root, file, asked) => {
  const about = mapOf(root.provider);
  const provider = serverlessProviders[textOf(root.provider) ?? textOf(about.name) ?? ''];
  if (provider === undefined) return null;
  const functions = Object.values(mapOf(root.functions)).map(mapOf);
  const variables = variablesIn(
    [about, ...functions].flatMap(({ environment }) => pairsOf(environment)),
    file,
    asked,
  );
  const hasSchedule = functions.some(({ events }) => mapsOf(events).some((event) => 'schedule' in event));
  const ids = idsOf({ application: root.service, 'provider.region': regionOf(about.region) });
  return {
    hosts: [evidence(file, { provider, ids, ...namesIn(variables) })],
    variables,
    schedules: hasSchedule ? [{ file: file.path, line: lineOf(file.text, 'schedule'), by: 'aws' }] : [],
  };
});

/** Files whose name, with a mark in their text, is enough. */
const known: readonly { readonly path: RegExp; readonly mark?: RegExp; readonly provider: string; readonly up?: number }[] = [
  { path: /(?:^|\/)serverless\.(?:ts|js|cjs)$/, mark: /provider/, provider: 'aws_lambda' },
  { path: /(?:^|\/)(?:template|sam)[\w.-]*\.(?:ya?ml|json)$/, mark: /AWS::Serverless/, provider: 'aws_lambda' },
  { path: /(?:^|\/)zappa_settings\.(?:json|toml|ya?ml)$/, provider: 'aws_lambda' },
  { path: /(?:^|\/)\.chalice\/config\.json$/, provider: 'aws_lambda', up: 1 },
  { path: /(?:^|\/)(?:\.arc|app\.arc)$/, mark: /^@app/m, provider: 'aws_lambda' },
  { path: /(?:^|\/)cdk\.json$/, mark: /"app"/, provider: 'aws' },
  { path: /(?:^|\/)copilot\/[\w-]+\/manifest\.ya?ml$/, mark: /^type:/m, provider: 'aws_ecs', up: 2 },
  { path: /(?:^|\/)(?:[\w-]*task[-_]?def(?:inition)?)[\w.-]*\.json$/i, mark: /"containerDefinitions"/, provider: 'aws_ecs' },
  { path: /(?:^|\/)ecs-params\.ya?ml$/, provider: 'aws_ecs' },
  { path: /(?:^|\/)Dockerrun\.aws\.json$/, provider: 'aws_elastic_beanstalk' },
  { path: /(?:^|\/)\.elasticbeanstalk\/config\.ya?ml$/, provider: 'aws_elastic_beanstalk', up: 1 },
  { path: /(?:^|\/)\.ebextensions\/[^/]+\.config$/, provider: 'aws_elastic_beanstalk', up: 1 },
  { path: /(?:^|\/)apprunner\.ya?ml$/, mark: /^runtime:/m, provider: 'aws_app_runner' },
  { path: /(?:^|\/)appspec\.ya?ml$/, mark: /TargetService/, provider: 'aws_ecs' },
  { path: /(?:^|\/)appspec\.ya?ml$/, mark: /^hooks:|^files:/m, provider: 'aws_ec2' },
  { path: /(?:^|\/)flightcontrol\.(?:json|cue)$/, provider: 'flightcontrol' },
];

const marked: FactReader = {
  name: 'aws-files',
  names: (name) => !/\.[tj]s$/.test(name) || name.startsWith('serverless.'),
  takes: (path) =>
    (!(path.endsWith('.ts') || path.endsWith('.js')) || path.includes('serverless.')) && known.some((one) => one.path.test(path)),
  endings: ['yaml', 'yml', 'json', 'toml', 'ts', 'js', 'cjs', 'cue', 'arc', 'config'],
  read: (file) => {
    const hit = known.find(({ path, mark }) => path.test(file.path) && (mark?.test(file.text) ?? true));
    return hit ? { hosts: [evidence(file, { provider: hit.provider, folder: upFrom(file, hit.up ?? 0) })] } : {};
  },
};

function upFrom({ path }: SourceFile, levels: number): string {
  let folder = folderOf(path);
  for (let i = 0; i < levels; i += 1) folder = folderOf(folder);
  return folder;
}

/** SST deploys to Cloudflare, to containers of AWS, or else to its functions. */
const sst: FactReader = {
  name: 'sst',
  names: (name) => name.startsWith('sst.'),
  takes: (path) => path.includes('sst.') && /(?:^|\/)sst\.(?:config\.(?:ts|js|mjs)|json)$/.test(path),
  endings: ['ts', 'js', 'mjs', 'json'],
  read: (file): Reading => {
    if (/home:\s*["']cloudflare["']/.test(file.text)) return { hosts: [evidence(file, { provider: 'cloudflare', product: 'workers' })] };
    return { hosts: [evidence(file, { provider: /sst\.aws\.(?:Service|Cluster)\b/.test(file.text) ? 'aws_ecs' : 'aws_lambda' })] };
  },
};

/** Constructs of the CDK that run an app, the first that a stack has. */
const constructs: readonly (readonly [RegExp, string])[] = [
  [/\baws[-_]ecs(?:[-_]patterns)?\b|awsecs\b|Amazon\.CDK\.AWS\.ECS|services\.ecs\b/, 'aws_ecs'],
  [/\baws[-_]apprunner\b/, 'aws_app_runner'],
  [/\baws[-_]elasticbeanstalk\b/, 'aws_elastic_beanstalk'],
  [/\baws[-_]eks\b|awseks\b/, 'kubernetes'],
  [
    /\baws[-_]lambda(?:[-_]nodejs|[-_]python[-_]alpha|[-_]go[-_]alpha)?\b|awslambda\b|Amazon\.CDK\.AWS\.Lambda|services\.lambda\b/,
    'aws_lambda',
  ],
  [/\baws[-_]ec2\b/, 'aws_ec2'],
  [/\baws[-_]s3[-_]deployment\b/, 'aws_s3_website'],
];

/** Stacks of the CDK, in the folders that its programs make. The stack belongs to the folder with `cdk.json`. */
const cdk: FactReader = {
  name: 'cdk',
  endings: ['ts', 'js', 'py', 'java', 'go', 'cs'],
  takes: (path) =>
    /(?:^|\/)(?:lib|bin|infra|infrastructure|cdk|stacks?|iac)\/|(?:stack|cdk)[\w-]*\.\w+$/i.test(path) &&
    /\.(?:ts|js|py|java|go|cs)$/.test(path) &&
    !path.endsWith('.d.ts'),
  isCode: true,
  read: (file): Reading => {
    if (!/aws-cdk-lib|aws_cdk|awscdk|Amazon\.CDK/.test(file.text)) return {};
    const provider = constructs.find(([pattern]) => pattern.test(file.text))?.[1];
    const folder = folderOf(file.path).replace(/(?:^|\/)(?:lib|bin|src|stacks?|constructs)(?:\/.*)?$/, '');
    return provider === undefined ? {} : { hosts: [evidence(file, { provider, folder })] };
  },
};

export const awsReaders: readonly FactReader[] = [...amplify, serverless, marked, sst, cdk];
