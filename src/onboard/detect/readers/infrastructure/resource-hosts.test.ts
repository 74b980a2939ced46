import { expect, it } from 'vitest';
import { noQuestions } from '../../../../../test/support/read-facts.ts';
import { infrastructureReaders } from './index.ts';

const told = async (path: string, text: string): Promise<readonly unknown[]> => {
  const hosts = [];
  for (const reader of infrastructureReaders)
    if (reader.takes(path)) hosts.push(...((await reader.read({ path, text }, noQuestions)).hosts ?? []));
  return hosts.map(({ provider, folder, targets }) => [provider, folder, targets]);
};

it.each([
  ['infra/apps/shop_api/main.tf', 'resource "aws_ecs_service" "this" {\n}\n', [['aws_ecs', '', ['shop_api', 'api', 'shop']]]],
  ['web/terraform/run.tf', 'resource "google_cloud_run_v2_service" "web" {\n}\n', [['cloud_run', 'web', ['run', 'web']]]],
  ['infra/main.bicep', "resource app 'Microsoft.App/containerApps@2024-03-01' = {}\n", [['azure_container_apps', '', []]]],
  ['api/orders.template.yml', 'Resources:\n  F:\n    Type: AWS::Serverless::Function\n', [['aws_lambda', 'api', undefined]]],
  ['examples/a/main.tf', 'resource "aws_ecs_service" "this" {\n}\n', []],
  ['main.tf', 'resource "aws_lambda_function" "cleanup" {\n}\n', []],
])('%s shows where an app runs', async (path, text, expected) => {
  expect(await told(path, text)).toEqual(expected);
});
