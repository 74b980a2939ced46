import { describe, expect, it } from 'vitest';
import { namesOf, readAll } from '../../../../../test/support/readings.ts';
import type { Reading } from '../../facts.ts';
import { infrastructureReaders } from './index.ts';

const read = (path: string, text: string): Promise<readonly Reading[]> => readAll(infrastructureReaders, path, text);
const factsIn = async (kind: string, path: string, text: string): Promise<readonly string[]> =>
  namesOf(await read(path, text), kind).map((name) => name.replace(' (infrastructure)', ''));
const variablesIn = async (path: string, text: string) => (await read(path, text)).flatMap(({ variables = [] }) => variables);

describe('resources', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'infra/main.tf',
      '# resource "no" "x"\nresource "aws_sqs_queue" "jobs" {\n}\n/* resource "no" "y" */\nmodule "db" {\n  source = "terraform-aws-modules/rds/aws"\n}\nresource "aws_sqs_queue" "more" {}',
      ['aws_sqs_queue', 'terraform-aws-modules/rds/aws'],
    ],
    ['db.tofu', 'resource "neon_project" "x" {\n  # resource "no" "x"\n}', ['neon_project']],
    ['main.tf.json', '{"resource":{"google_sql_database_instance":{"db":{}}}}', ['google_sql_database_instance']],
    [
      'infra/stack.ts',
      "import * as cdk from 'aws-cdk-lib';\nimport * as sqs from 'aws-cdk-lib/aws-sqs';\nimport { aws_sns as sns, aws_dynamodb } from 'aws-cdk-lib';\n// import 'aws-cdk-lib/aws-no'",
      ['aws-cdk-lib/aws-sqs', 'aws-cdk-lib/aws-sns', 'aws-cdk-lib/aws-dynamodb'],
    ],
    [
      'stack.py',
      'from aws_cdk import Stack, aws_sqs as sqs, aws_rds\nfrom aws_cdk.aws_cognito import UserPool\n',
      ['aws-cdk-lib/aws-sqs', 'aws-cdk-lib/aws-cognito', 'aws-cdk-lib/aws-rds'],
    ],
    ['src/main/java/Infra.java', 'import software.amazon.awscdk.services.dynamodb.Table;', ['aws-cdk-lib/aws-dynamodb']],
    ['Infra.cs', 'using Amazon.CDK.AWS.SQS;', ['aws-cdk-lib/aws-sqs']],
    ['infra.go', 'import "github.com/aws/aws-cdk-go/awscdk/v2/awssqs"', ['aws-cdk-lib/aws-sqs']],
    [
      'index.ts',
      "import * as aws from '@pulumi/aws';\nconst q = new aws.sqs.Queue('jobs');\nconst n = new neon.Project(`x`)",
      ['aws_sqs_queue', 'neon_project'],
    ],
    ['__main__.py', 'import pulumi_gcp as gcp\nb = gcp.storage.Bucket("x")', ['google_storage_bucket']],
    ['sst.config.ts', 'const bucket = new sst.aws.Bucket("Uploads")', ['sst.aws.Bucket']],
    [
      'template.yaml',
      'Resources:\n  Jobs:\n    Type: AWS::SQS::Queue\n  # Type: AWS::No::No\n  T:\n    Type: "AWS::DynamoDB::Table"',
      ['AWS::SQS::Queue', 'AWS::DynamoDB::Table'],
    ],
    ['cdk.template.json', '{"Resources":{"A":{"Type":"AWS::S3::Bucket"}}}', ['AWS::S3::Bucket']],
    ['serverless.yml', 'functions:\n  a:\n    events:\n      - sqs:\n          arn: x\n      - httpApi: "*"', ['AWS::SQS::Queue']],
    [
      'main.bicep',
      "resource bus 'Microsoft.ServiceBus/namespaces@2022-10-01-preview' = {\n}\n// resource no 'Microsoft.No/no@1'\nmodule x 'br/public:avm/res/service-bus/namespace:0.1.0' = {}",
      ['Microsoft.ServiceBus/namespaces'],
    ],
    ['azuredeploy.json', '{"resources":[{"type":"Microsoft.Cache/redis"}]}', ['Microsoft.Cache/redis']],
    [
      'k8s/db.yaml',
      'apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\n---\napiVersion: apps/v1\nkind: Deployment',
      ['postgresql.cnpg.io/Cluster'],
    ],
    ['src/app.ts', "const x = 'AWS::SQS::Queue'; new aws.sqs.Queue('x')", []],
  ])('of %s', async (path, text, expected) => expect(await factsIn('resource', path, text)).toEqual(expected));
});

describe('images', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'docker-compose.yml',
      'services:\n  db:\n    image: postgres:16-alpine\n  ch:\n    image: "clickhouse/clickhouse-server:24@sha256:aa"\n  web:\n    image: ${IMAGE}\n    build: .\n',
      ['postgres (local)', 'clickhouse/clickhouse-server (local)'],
    ],
    ['docker-compose.prod.yml', 'services:\n  r:\n    image: docker.io/library/redis:7', ['redis']],
    ['compose.yaml', 'services:\n  # image: no\n  q: { image: rabbitmq:3-management }', ['rabbitmq (local)']],
    [
      'deploy/web.yaml',
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: ghcr.io/acme/web:1\n',
      ['ghcr.io/acme/web'],
    ],
    ['charts/app/values.yaml', 'image:\n  repository: acme/app\n  tag: 1\nredis:\n  image: redis:7\n', ['acme/app', 'redis']],
    [
      'charts/app/Chart.yaml',
      'dependencies:\n  - name: postgresql\n    version: 12\n    repository: https://charts.bitnami.com/bitnami\n',
      ['bitnami/postgresql'],
    ],
    [
      '.devcontainer/devcontainer.json',
      '{ "image": "mcr.microsoft.com/devcontainers/base:ubuntu" }',
      ['mcr.microsoft.com/devcontainers/base (local)'],
    ],
  ])('of %s', async (path, text, expected) => expect(await factsIn('image', path, text)).toEqual(expected));
});

describe('names that a container is given', () => {
  it.each<[string, string, readonly object[]]>([
    [
      'docker-compose.yml',
      'services:\n  web:\n    environment:\n      - DATABASE_URL=postgres://x\n      - REDIS_URL\n  api:\n    environment:\n      STRIPE_KEY: ${STRIPE_SECRET:-x}\n',
      [
        { name: 'DATABASE_URL', line: 4, where: 'compose', use: 'local' },
        { name: 'REDIS_URL' },
        { name: 'STRIPE_KEY' },
        { name: 'STRIPE_SECRET' },
      ],
    ],
    [
      'k8s/web.yaml',
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  env:\n    - name: DATABASE_URL\n      valueFrom:\n        secretKeyRef:\n          name: neon-shop\n          key: url\n',
      [
        { name: 'DATABASE_URL', where: 'infrastructure', line: 5 },
        { name: 'DATABASE_URL', where: 'vault', keptIn: 'kubernetes', words: ['neon-shop'] },
      ],
    ],
    [
      'main.tf',
      'env {\n  name = "DATABASE_URL"\n}\nenvironment = {\n  STRIPE_KEY = var.x\n}',
      [{ name: 'DATABASE_URL', where: 'infrastructure', line: 2 }, { name: 'STRIPE_KEY' }],
    ],
    [
      'template.yml',
      'Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment:\n        Variables:\n          TABLE_NAME: !Ref T',
      [{ name: 'TABLE_NAME', line: 7 }],
    ],
  ])('in %s', async (path, text, expected) => expect(await variablesIn(path, text)).toMatchObject(expected));

  it('schedules of a cluster are found', async () => {
    const readings = await read('k8s/cron.yaml', 'apiVersion: batch/v1\nkind: CronJob\n');
    expect(readings.flatMap(({ schedules = [] }) => schedules)).toEqual([{ file: 'k8s/cron.yaml', line: 2, by: 'kubernetes' }]);
  });
});
