import type { FactReader, SourceFile } from '../../facts.ts';
import { matchesOf, withoutComments } from '../source.ts';
import { ResourceFacts } from './resource-facts.ts';
import { hostsOfResources } from './resource-hosts.ts';

/** Signs of infrastructure in code. Most code has none, and one search tells. */
const isInfrastructure =
  /aws-cdk|aws_cdk|awscdk|Amazon\.CDK|@pulumi\/|pulumi_|_pulumi\b|pulumi\/sdk|com\.pulumi|using Pulumi|\bsst\.|cdktf/;

/** Infrastructure that is written as code: CDK, CDK for Terraform, Pulumi and SST. */
export const infrastructureCode: FactReader = {
  name: 'CDK, Pulumi and SST',
  isCode: true,
  takes: (path) => /\.(?:[cm]?[jt]s|py|java|kt|cs|go)$/.test(path),
  endings: ['js', 'cjs', 'mjs', 'jsx', 'ts', 'cts', 'mts', 'tsx', 'py', 'java', 'kt', 'cs', 'go'],
  read: (file) => {
    if (!isInfrastructure.test(file.text)) return {};
    const text = withoutComments(file.text, file.path.endsWith('.py') ? 'hash' : 'slashes');
    const facts = new ResourceFacts(file);
    addCdk(text, facts);
    if (/pulumi|\bsst\./i.test(text)) addPulumi({ path: file.path, text }, facts);
    if (/pulumi/i.test(text)) addComponents(text, facts);
    for (const match of matchesOf(text, /(?<![\w.])sst\.((?:\w{1,40}\.)?[A-Z]\w{1,60})\s*\(/g)) facts.add(`sst.${match[1]}`, match.index);
    return { facts: facts.list, hosts: hostsOfResources(facts.list) };
  },
};

/** The module of a construct in each language. All become `aws-cdk-lib/aws-sqs`. */
const cdkModules: readonly RegExp[] = [
  /["'](?:aws-cdk-lib|@aws-cdk)\/aws-([a-z\d-]{2,60})["']/g,
  /(?<![\w-])aws_cdk(?:\.|[ \t]+import[ \t]*\(?[^\n()]{0,300}?\b)aws_([a-z\d_]{2,60})/g,
  /software\.amazon\.awscdk\.services\.([a-z\d]{2,60})\./g,
  /Amazon\.CDK\.AWS\.([A-Za-z\d]{2,60})/g,
  /awscdk\/v\d\/aws([a-z\d]{2,60})"/g,
];

function addCdk(text: string, facts: ResourceFacts): void {
  const add = (module: string, offset: number): void => facts.add(`aws-cdk-lib/aws-${module.toLowerCase().replaceAll('_', '-')}`, offset);
  for (const pattern of cdkModules) for (const match of matchesOf(text, pattern)) add(match[1] ?? '', match.index);
  // `import { aws_sqs as sqs, aws_sns } from 'aws-cdk-lib'`, and several names behind Python's `import`.
  const lists =
    /import[ \t]*(?:type[ \t]*)?\{([^{}]{1,2000})\}[ \t]*from[ \t]*["']aws-cdk-lib["']|from[ \t]+aws_cdk[ \t]+import[ \t]*\(?([^()]{1,2000}?)(?:\)|\n(?![ \t]))/g;
  for (const list of matchesOf(text, lists, 200)) {
    for (const [, module = ''] of (list[1] ?? list[2] ?? '').matchAll(/\baws_(\w{2,60})/g)) add(module, list.index);
  }
}

const providers: { readonly [name: string]: string } = {
  gcp: 'google',
  azure: 'azurerm',
  'azure-native': 'azurerm',
  postgresql: 'postgresql',
};

/**
 * Resources of Pulumi by the name that Terraform has for most of them: `aws.sqs.Queue` is `aws_sqs_queue`, `neon.Project` is
 * `neon_project`.
 */
function addPulumi({ path, text }: SourceFile, facts: ResourceFacts): void {
  const isGo = path.endsWith('.go');
  const pattern = isGo
    ? /(?<![\w.])([a-z]\w{1,40})\.New([A-Z]\w{1,60})\s*\(\s*ctx\b/g
    : /(?:\bnew[ \t]+|=[ \t]*|\()([A-Za-z]\w{1,40})\.(?:([A-Za-z]\w{1,40})\.)?([A-Z]\w{1,60})\s*\(\s*(?:\$?["'`]|name|\w{1,40},)/g;
  for (const match of matchesOf(text, pattern)) {
    const [provider, module, type] = isGo
      ? ['aws', match[1], match[2]]
      : [match[1]?.toLowerCase() ?? '', match[2]?.toLowerCase(), match[3]];
    if (['pulumi', 'console', 'math', 'this', 'sst', 'cdk'].includes(provider ?? '')) continue;
    const known = providers[provider ?? ''] ?? provider;
    facts.add([known, module, snake(type ?? '')].filter(Boolean).join('_'), match.index);
  }
}

/** Words in the names of components that somebody made of these resources: `awsx.ecs.FargateService`, `parts.elasticache.ReplicationGroup`. */
const words: readonly (readonly [word: RegExp, resource: string])[] = [
  [/CloudFront/, 'aws_cloudfront_distribution'],
  [/ElastiCache/i, 'aws_elasticache_replication_group'],
  [/SecretsManager/, 'aws_secretsmanager_secret'],
  [/Fargate|Ecs(?:Service|Cluster|Task)/, 'aws_ecs_service'],
  [/CloudWatch/, 'aws_cloudwatch_dashboard'],
  [/Aurora|Rds(?:Instance|Cluster|Database)/, 'aws_db_instance'],
  [/DynamoDb/i, 'aws_dynamodb_table'],
  [/Sqs/, 'aws_sqs_queue'],
  [/OpenSearch/, 'aws_opensearch_domain'],
  [/CloudRun/, 'google_cloud_run_v2_service'],
  [/CloudSql/i, 'google_sql_database_instance'],
];

/** Components of a package of somebody's own, which the code makes with the words of a program of Pulumi. */
function addComponents(text: string, facts: ResourceFacts): void {
  for (const match of matchesOf(text, /(?<![\w.])(?:new[ \t]+)?(?:[a-z]\w{0,40}\.){0,4}([A-Z][a-z]\w{3,60})\s*\(/g)) {
    const resource = words.find(([word]) => word.test(match[1] ?? ''))?.[1];
    if (resource !== undefined) facts.add(resource, match.index);
  }
}

const snake = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
