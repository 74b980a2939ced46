import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, namespaceOf } from './address.ts';

/** The parts of `package.json` that `server.json` repeats. */
interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The form of `server.json` that the registry of tool servers takes today. A new form has another date. */
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** The variables of the server that no plan names. The credentials of providers are those that the plan names, and have no list. */
const variables = [
  {
    name: 'GITHUB_TOKEN',
    isSecret: true,
    description: 'Reads the pull requests of a repository at GitHub, and pushes the ledger by HTTPS.',
  },
  { name: 'GITLAB_TOKEN', isSecret: true, description: 'Reads the merge requests of a project at GitLab, and pushes the ledger by HTTPS.' },
  {
    name: 'PILOTFISH_LEDGER_KEY',
    isSecret: true,
    description: 'Seals the ledger, for lines whose credential cannot. It has 32 characters or more.',
  },
  {
    name: 'PILOTFISH_RECEIPTS',
    isSecret: true,
    description: 'The address of the PostgreSQL database with the ledger, if the ledger is not in git.',
  },
  { name: 'PILOTFISH_PLUGINS', description: 'Plugins and recipe families: package names or paths, separated by commas.' },
  {
    name: 'PILOTFISH_AGENT_COMMANDS',
    description: '1 starts the commands of every plan without asking a person. Set it only if you trust every plan in reach.',
  },
];

/**
 * The name of the server at the registry. `mcpName` in `package.json` repeats it, so the registry knows that both have one owner. `null`
 * without an address, and for a repository without a namespace.
 */
export function serverNameOf({ name }: Pick<Manifest, 'name'>, address: Address | null): string | null {
  const namespace = address && namespaceOf(address);
  return namespace === null ? null : `${namespace}/${name}`;
}

/** `server.json`: how a client of the registry starts the tool server. Without an address, as in the sources, it has no name yet. */
export function serverFile(manifest: Manifest, address: Address | null): object {
  const name = serverNameOf(manifest, address);
  return {
    $schema: schema,
    ...(name !== null && { name }),
    title: 'pilotfish',
    description: 'Plans, applies and destroys what ships beside a preview: databases, variables, webhooks, flags.',
    ...(name !== null && { repository: { url: address?.page, source: 'github' } }),
    version: manifest.version,
    packages: [
      {
        registryType: 'npm',
        identifier: manifest.name,
        version: manifest.version,
        runtimeHint: 'npx',
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        transport: { type: 'stdio' },
        environmentVariables: variables,
      },
    ],
  };
}

/** The text of `server.json` for the package of a folder. */
export async function serverFileText(folder: string, address: Address | null): Promise<string> {
  return `${JSON.stringify(serverFile(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')), address), null, 2)}\n`;
}

export async function writeServerFile(folder: string, address: Address | null): Promise<void> {
  await writeFile(join(folder, 'server.json'), await serverFileText(folder, address));
}
