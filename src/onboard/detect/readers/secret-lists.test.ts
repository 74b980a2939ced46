import { describe, expect, it } from 'vitest';
import { readAll } from '../../../../test/support/readings.ts';
import { secretListReaders } from './secret-lists.ts';

const found = async (path: string, text: string) =>
  (await readAll(secretListReaders, path, text))
    .flatMap(({ variables = [] }) => variables)
    .map(({ name, keptIn, words, line }) => `${name} ${keptIn} ${words?.join(',') ?? ''}:${line}`);

describe('references to secrets', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'env.op',
      'DATABASE_URL=op://team/neon-letters/url\n# NO=op://a/b/c\nSENTRY_DSN="op://team/sentry/dsn"',
      ['DATABASE_URL 1password team,neon-letters:1', 'SENTRY_DSN 1password team,sentry:3'],
    ],
    ['.env.tpl', 'export STRIPE_KEY=op://Dev/Stripe%20Test/credential', ['STRIPE_KEY 1password Dev,Stripe Test:1']],
    ['.envrc', 'export POSTMARK_TOKEN=$(op read "op://app/postmark/token")', ['POSTMARK_TOKEN 1password app,postmark:1']],
    ['.github/workflows/a.yml', 'env:\n  DB_URL: op://ci/neon/url # x\n', ['DB_URL 1password ci,neon:2']],
    [
      'fnox.toml',
      '[secrets]\nMUX_TOKEN = { provider = "1password", value = "op://team/mux/id" }\nOTHER = "x"',
      ['MUX_TOKEN 1password team,mux:2', 'MUX_TOKEN fnox :2', 'OTHER fnox :3'],
    ],
    ['k8s/a.yaml', '- name: STRIPE_KEY\n  value: vault:secret/data/stripe#KEY\n', ['STRIPE_KEY vault secret,data,stripe:2']],
    [
      'task.json',
      '{ "name": "DB_URL", "valueFrom": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/neon-AbCdEf" }',
      ['DB_URL aws-secrets-manager prod,neon:1'],
    ],
    [
      'serverless.yml',
      'environment:\n  STRIPE_KEY: "{{resolve:ssm-secure:/shop/stripe/key:1}}"',
      ['STRIPE_KEY aws-parameter-store shop,stripe,key:2'],
    ],
    ['values.yaml', 'DB_URL: ref+awssecrets://shop/postmark#/token', ['DB_URL vals shop,postmark:1']],
    [
      'main.bicep',
      "name: 'MAIL_KEY'\nvalue: '@Microsoft.KeyVault(VaultName=a;SecretName=sendgrid-key)'",
      ['MAIL_KEY azure-key-vault sendgrid-key:2'],
    ],
    ['deploy.sh', 'MAIL_KEY=projects/shop/secrets/resend-key/versions/latest', ['MAIL_KEY google-secret-manager resend-key:1']],
    ['secrets.enc.yaml', 'NEON_URL: ENC[AES256_GCM,data:abc,type:str]\nother: ENC[AES256]\nsops:\n  version: 3', ['NEON_URL sops :1']],
    ['secrets.json', '{\n "STRIPE_KEY": "ENC[AES256_GCM,data:x]",\n "sops": {}}', ['STRIPE_KEY sops :2']],
    ['mise.toml', '[env]\nRESEND_KEY = "canary"\n[tools]\nNODE = "22"', ['RESEND_KEY mise :2']],
    [
      'doppler-template.yaml',
      'projects:\n  - name: SHOP_APP\n    secrets:\n      dev:\n        STRIPE_KEY: "canary"\n        MAIL_URL: >-\n          OTHER: x\n      ci: { MUX_TOKEN: "" }\n',
      ['STRIPE_KEY doppler :5', 'MUX_TOKEN doppler :8'],
    ],
    ['.env', 'A_B=https://x\nop=1', []],
  ])('give names and where they are kept: %s', async (path, text, expected) =>
    expect((await found(path, text)).toSorted()).toEqual(expected.toSorted()),
  );
});
