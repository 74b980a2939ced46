import { commandSource } from './by-command.ts';

/**
 * `gcp-sm://<project>/<secret>[/<version>]`: a secret of Google Secret Manager, by gcloud, which prints its bytes as they are. A reference
 * without a version means the latest version, even when that one is disabled.
 * https://cloud.google.com/secret-manager/docs/access-secret-version
 */
export const gcpSecretManagerSource = commandSource<Question>({
  scheme: 'gcp-sm',
  addressEnv: ['CLOUDSDK_API_ENDPOINT_OVERRIDES_SECRETMANAGER'],
  form: 'gcp-sm://<project>/<secret>[/<version>]',
  question: ([project = '', secret, version = 'latest', ...rest], key) => {
    if (secret === undefined || rest.length > 0 || key !== null) return 'it must name a project, a secret and, if you want, a version.';
    if (!/^(?:[a-z0-9.-]+:)?[a-z0-9][a-z0-9-]{0,62}$/.test(project))
      return 'a project is given by its id (lower-case letters, digits and hyphens) or its number.';
    if (!/^[A-Za-z0-9_-]{1,255}$/.test(secret)) return 'the name of a secret has 1 to 255 letters, digits, hyphens and underscores.';
    if (!/^(?:[1-9]\d*|[A-Za-z][A-Za-z0-9_-]{0,62})$/.test(version)) return 'a version is a number, `latest` or an alias.';
    return { project, secret, version };
  },
  argv: ({ project, secret, version }) => [
    'gcloud',
    'secrets',
    'versions',
    'access',
    version,
    `--secret=${secret}`,
    `--project=${project}`,
  ],
  read: (stdout) => ({ value: stdout }),
  fix: 'Run `gcloud auth login`, or in CI sign in a service account, and check the names and its role Secret Manager Secret Accessor.',
});

interface Question {
  readonly project: string;
  readonly secret: string;
  readonly version: string;
}
