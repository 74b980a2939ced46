import { describe, expect, it } from 'vitest';
import type { Files } from './lay-files.ts';
import { surveyOf } from './survey-of.ts';

const services = {
  neon: {},
  sentry: {},
  postmark: {},
  postmark_server: { uses: { variables: ['POSTMARK_SERVER_TOKEN'] }, may: { variables: ['POSTMARK_*'] } },
  mux: {},
  trigger_dev: {},
  stripe: {},
  google_maps: {},
  google_oauth: {},
  aws_rds: {},
  api_video: {},
  front: {},
};

/** The services that a survey finds, with what proves each. */
const found = async (files: Files): Promise<readonly string[]> =>
  (await surveyOf({ 'package.json': '{"dependencies":{"next":"15"}}', ...files }, services)).claims.map(
    ({ service, evidence }) => `${service}: ${evidence.map(({ file, what }) => `${file} ${what}`).join(', ')}`,
  );

describe('the paths of secrets name services', () => {
  it.each<[string, Files, readonly string[]]>([
    [
      'of 1Password',
      {
        'env.op':
          'DATABASE_URL=op://team/neon-letters/url\nSENTRY_DSN=op://team/sentry/dsn\nPOSTMARK_TOKEN=op://team/postmark/token\nMUX_TOKEN_ID=op://team/mux/id',
      },
      [
        'neon: env.op secret neon-letters',
        'sentry: env.op secret sentry',
        'postmark_server: env.op secret postmark, env.op variable POSTMARK_TOKEN',
        'mux: env.op secret mux',
      ],
    ],
    [
      'of AWS',
      {
        'task.json':
          '{"secrets":[{"name":"DB_URL","valueFrom":"arn:aws:secretsmanager:eu:1:secret:prod/neon-AbCdEf"},{"name":"TRIGGER_KEY","valueFrom":"arn:aws:ssm:eu:1:parameter/prod/trigger-dev/key"}]}',
      },
      ['neon: task.json secret neon', 'trigger_dev: task.json secret trigger-dev'],
    ],
    [
      'of Kubernetes',
      {
        'k8s/web.yaml':
          'apiVersion: apps/v1\nkind: Deployment\nenv:\n  - name: DATABASE_URL\n    valueFrom:\n      secretKeyRef:\n        name: neon-shop\n        key: url\n',
      },
      ['neon: k8s/web.yaml secret neon-shop'],
    ],
    [
      'of Vault',
      { '.env.tpl': 'export STRIPE_KEY={{ with secret "kv/shop/stripe" }}{{ .Data.key }}{{ end }}' },
      ['stripe: .env.tpl secret stripe'],
    ],
    [
      'by the name of a product without its vendor',
      {
        'k8s/web.yaml':
          'apiVersion: apps/v1\nkind: Deployment\nenv:\n  - name: DB_HOST\n    valueFrom:\n      secretKeyRef:\n        name: rds-output\n        key: host\n',
      },
      ['aws_rds: k8s/web.yaml secret rds-output'],
    ],
  ])('%s', async (_, files, expected) => expect(await found(files)).toEqual(expected));

  it.each<[string, Files]>([
    ['a name inside a longer word', { 'env.op': 'DATABASE_URL=op://team/neonatal/url' }],
    ['a name that stands behind others', { 'env.op': 'DATABASE_URL=op://team/old-neon/url' }],
    ['the first part of several names', { 'env.op': 'GOOGLE_KEY=op://team/google/key' }],
    ['a word of anything that begins a name', { 'env.op': 'API_KEY=op://team/client-registry-api-key/key' }],
    ['a word of anything that is a name', { 'env.op': 'DATABASE_URL=op://team/front-end/url' }],
    ['a list in an example', { 'examples/a/package.json': '{}', 'examples/a/env.op': 'DATABASE_URL=op://team/neon/url' }],
    ['a value that is no reference', { 'env.op': 'DATABASE_URL=neon/team/sentry' }],
  ])('but not by %s', async (_, files) => expect(await found(files)).toEqual([]));
});
