import { isMap } from '../core/json.ts';
import { commandSource, jsonOf, notAnswerOf, textOf } from './by-command.ts';

/**
 * `azure-kv://<vault>/<secret>[/<version>]`: a secret of an Azure Key Vault, by the Azure CLI.
 * https://learn.microsoft.com/cli/azure/keyvault/secret
 */
export const azureKeyVaultSource = commandSource<Question>({
  scheme: 'azure-kv',
  form: 'azure-kv://<vault>/<secret>[/<version>]',
  question: ([vault = '', name, version, ...rest], key) => {
    if (name === undefined || rest.length > 0 || key !== null) return 'it must name a vault, a secret and, if you want, a version.';
    if (!/^[A-Za-z](?!.*--)[0-9A-Za-z-]{1,22}[0-9A-Za-z]$/.test(vault)) {
      return 'the name of a vault has 3 to 24 letters, digits and single hyphens, begins with a letter and does not end with a hyphen.';
    }
    if (!/^[0-9A-Za-z-]{1,127}$/.test(name)) return 'the name of a secret has 1 to 127 letters, digits and hyphens.';
    if (version !== undefined && !/^[0-9a-f]{32}$/i.test(version)) return 'a version has 32 hexadecimal digits.';
    return { vault, name, version };
  },
  argv: ({ vault, name, version }) => [
    'az',
    'keyvault',
    'secret',
    'show',
    '--vault-name',
    vault,
    '--name',
    name,
    ...(version === undefined ? [] : ['--version', version]),
    '--only-show-errors',
    '--output',
    'json',
  ],
  read: (stdout, { name }) => {
    const answer = jsonOf(stdout);
    return isMap(answer) && Object.hasOwn(answer, 'value') ? textOf(answer.value, `the value of ${name}`) : notAnswerOf('az');
  },
  fix: 'Run `az login`, or in CI sign in a service principal, and check the names and the permissions of this identity.',
});

interface Question {
  readonly vault: string;
  readonly name: string;
  readonly version: string | undefined;
}
