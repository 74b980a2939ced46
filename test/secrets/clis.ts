import type { Programs } from '../support/programs.ts';

/**
 * Little programs in place of the real ones, as their published sources and pages describe them: each takes exactly the arguments that
 * the real one takes, needs the same variable, and ends with the same code and words.
 */
export async function addClis(programs: Programs): Promise<void> {
  for (const [name, body] of Object.entries(clis)) await programs.add(name, `${strict}\n${body}`);
}

export const planted = {
  infisical: 'planted-infisical-1',
  azure: 'planted-azure-22',
  bws: 'planted-bitwarden-3',
  doppler: 'planted-doppler-44',
  op: 'planted-op-line-1\nplanted-op-line-2',
  aws: 'planted-aws-555',
  awsUser: 'planted-aws-user-6',
  gcp: 'planted-gcp-7777',
} as const;

export const credentials = {
  INFISICAL_TOKEN: 'infisical-token-1',
  BWS_ACCESS_TOKEN: 'bws-access-token-1',
  DOPPLER_TOKEN: 'doppler-token-1',
  OP_SERVICE_ACCOUNT_TOKEN: 'op-service-token-1',
  AZURE_SIGNED_IN: 'yes',
  AWS_SECRET_ACCESS_KEY: 'aws-secret-access-key-1',
  CLOUDSDK_SIGNED_IN: 'yes',
} as const;

export const bwsId = 'be8e0ad8-d545-4017-a55a-b02f014d4158';
export const azureVersion = '4387e9f3d6e14c459867679a90fd0f79';
export const arn = 'arn:aws:secretsmanager:us-west-2:123456789012:secret:prod/db-a1b2c3';

/** `wanted('get', /.+/)` gives the matches, or ends as a parser of arguments does. */
const strict = `
const wanted = (...patterns) => {
  const fits = args.length === patterns.length && patterns.every((p, i) => typeof p === 'string' ? p === args[i] : p.test(args[i]));
  if (!fits) fail(2, 'unexpected arguments: ' + JSON.stringify(args));
  return args.filter((_, i) => typeof patterns[i] !== 'string');
};
`;
const any = '/^[^-].*$/s';
const json = (value: unknown): string => JSON.stringify(value);

const clis: Readonly<Record<string, string>> = {
  infisical: `
    const [name, project, slug, path] = wanted('secrets', 'get', ${any}, '--projectId', ${any}, '--env', ${any}, '--path', /^\\//, '--output', 'json');
    if (env.INFISICAL_TOKEN !== ${json(credentials.INFISICAL_TOKEN)}) fail(1, 'error: You must be logged in to run this command. Token was ' + env.INFISICAL_TOKEN + '\\n');
    if (project !== 'prj-1' || slug !== 'dev') fail(1, 'error: project or environment is not known\\n');
    const values = { '/ DB': ${json(planted.infisical)}, '/web/api KEY': ${json(planted.infisical)}, '/ LITERAL': '*not found*', '/ EMPTY': '' };
    fs.writeSync(2, 'A new release of infisical is available\\n');
    out(JSON.stringify([{ secretKey: name, secretValue: values[path + ' ' + name] ?? '*not found*' }], null, 2) + '\\n');`,
  az: `
    const version = args.includes('--version') ? ['--version', /^[0-9a-f]{32}$/] : [];
    const [vault, name] = wanted('keyvault', 'secret', 'show', '--vault-name', ${any}, '--name', ${any}, ...version, '--only-show-errors', '--output', 'json');
    if (!env.AZURE_SIGNED_IN) fail(1, "ERROR: Please run 'az login' to setup account.\\n");
    if (name === 'closed') fail(1, 'ERROR: (Forbidden) The user does not have secrets get permission on key vault ' + vault + '.\\n');
    if (name !== 'db' || vault !== 'acme-kv') fail(3, 'ERROR: (SecretNotFound) A secret with (name/id) ' + name + ' was not found in this key vault.\\n');
    out(JSON.stringify({ attributes: { enabled: true }, contentType: null, id: 'https://acme-kv.vault.azure.net/secrets/db/' + ${json(azureVersion)}, name, tags: {}, value: ${json(planted.azure)} }));`,
  bws: `
    const [id] = wanted('secret', 'get', /^[0-9a-f-]{36}$/, '--output', 'json', '--color', 'no');
    if (!env.BWS_ACCESS_TOKEN) fail(1, 'Error: Missing access token. Set the BWS_ACCESS_TOKEN environment variable.\\n');
    if (env.BWS_ACCESS_TOKEN !== ${json(credentials.BWS_ACCESS_TOKEN)}) fail(1, 'Error: Access token ' + env.BWS_ACCESS_TOKEN + ' has expired\\n');
    if (id.endsWith('0')) fail(1, 'Error: Received error message from server: [404 Not Found] {"message":"Resource not found."}\\n');
    out(JSON.stringify({ id, organizationId: id, projectId: null, key: 'SES_KEY', value: id.endsWith('1') ? '' : ${json(planted.bws)}, note: '' }, null, 2) + '\\n');`,
  doppler: `
    const [name, project, config] = wanted('secrets', 'get', ${any}, '--project', ${any}, '--config', ${any}, '--json');
    if (env.DOPPLER_TOKEN !== ${json(credentials.DOPPLER_TOKEN)}) fail(1, '{"error":"Unable to fetch secrets: Invalid Auth token"}\\n');
    const values = { DB: ${json(planted.doppler)}, CLOSED: null };
    if (project !== 'web' || config !== 'dev' || !(name in values)) fail(1, JSON.stringify({ error: 'Could not find requested secret: ' + name }) + '\\n');
    out(JSON.stringify({ [name]: { computed: values[name], computedValueType: { type: 'string' }, computedVisibility: 'masked', note: '' } }) + '\\n');`,
  op: `
    const [reference] = wanted('read', '--no-newline', /^op:\\/\\//);
    if (!env.OP_SERVICE_ACCOUNT_TOKEN) fail(1, '[ERROR] 2026/11/21 10:00:00 You are not currently signed in. Please run \`op signin --help\`\\n');
    if (!['op://CI/Stripe preview/credential', 'op://CI/Stripe preview/Keys/credential'].includes(reference)) fail(1, '[ERROR] 2026/11/21 10:00:00 could not read secret ' + reference + '\\n');
    out(${json(planted.op)});`,
  aws: `
    const region = args.includes('--region') ? ['--region', 'us-west-2'] : [];
    const [id] = wanted('secretsmanager', 'get-secret-value', '--secret-id', ${any}, ...region, '--output', 'json');
    if (!env.AWS_SECRET_ACCESS_KEY) fail(253, '\\nUnable to locate credentials. You can configure credentials by running "aws configure".\\n');
    const secrets = {
      'prod/db': { SecretString: JSON.stringify({ username: ${json(planted.awsUser)}, password: ${json(planted.aws)}, port: 5432, hosts: ['a'] }) },
      ${json(arn)}: { SecretString: JSON.stringify({ password: ${json(planted.aws)} }) },
      plain: { SecretString: ${json(planted.aws)} },
      blob: { SecretBinary: 'cGxhbnRlZC1hd3MtNTU1' },
      list: { SecretString: ${json(json([planted.aws]))} },
    };
    if (!(id in secrets) || (id.startsWith('arn:') && region.length === 0)) fail(254, "\\nAn error occurred (ResourceNotFoundException) when calling the GetSecretValue operation: Secrets Manager can't find the specified secret.\\n");
    out(JSON.stringify({ ARN: ${json(arn)}, Name: id, VersionId: 'v1', ...secrets[id], VersionStages: ['AWSCURRENT'] }, null, 4) + '\\n');`,
  gcloud: `
    const [version] = wanted('secrets', 'versions', 'access', ${any}, '--secret=db', '--project=acme-ci');
    if (!env.CLOUDSDK_SIGNED_IN) fail(1, 'ERROR: (gcloud.secrets.versions.access) You do not currently have an active account selected.\\n');
    if (version === '2') fail(1, 'ERROR: (gcloud.secrets.versions.access) FAILED_PRECONDITION: Secret Version [projects/1/secrets/db/versions/2] is in DISABLED state.\\n');
    if (version === '3') { fs.writeSync(1, Buffer.from([0x80, 0x81, 0x82])); process.exit(0); }
    out(${json(planted.gcp)});`,
};
