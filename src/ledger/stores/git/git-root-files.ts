import { appFolders } from './git-app-folders.ts';
import { type GitFolder, holds } from './git-tree.ts';

/** The folder of a commit that holds the ledger. Files beside it are for people and hosts, and are no part of `Tree.files`. */
export const ledgerFolder = '.pilotfish';

/** Keeps a host from building a branch that has nothing to build. */
const noVercelBuild = `${JSON.stringify({ git: { deploymentEnabled: false } }, null, 2)}\n`;

const readme = `# Written by pilotfish

This branch is the ledger of a preview environment: what pilotfish made at which provider, so that the next run on any machine
can see drift and knows what to remove.

It shares no history with your code and is never merged. Do not edit it and do not delete it: the objects that it names would
stay behind. \`pilotfish apply --destroy\` removes them.
`;

const noNetlifyBuild = '[build]\n  ignore = "exit 0"\n';

/** The files of ledger branches beside the ledger: at their top, and in the folders of the checkout that hosts may build. */
export class RootFiles {
  readonly #folders: () => Promise<readonly string[]>;
  #asked: Promise<readonly string[]> | null = null;

  /** `top`: the top folder of the checkout, where there is one. */
  constructor({ top, env }: { readonly top?: string | undefined; readonly env: NodeJS.ProcessEnv }) {
    this.#folders = async () => (top === undefined ? [] : await appFolders(top, env));
  }

  /** Asks for the folders. A run that will make the branch asks before its first push. */
  ask(): Promise<readonly string[]> {
    this.#asked ??= this.#folders();
    return this.#asked;
  }

  /** Gives the files that the branch lacks. Refs that no host builds need none. The push that makes a branch fixes the folders. */
  async missing(ref: string, before: GitFolder | null): Promise<ReadonlyMap<string, string>> {
    if (!ref.startsWith('refs/heads/')) return new Map();
    const folders = before === null ? await this.ask() : [];
    const quieting = ['', ...folders.map((folder) => `${folder}/`)].flatMap((at): [string, string][] => [
      [`${at}vercel.json`, noVercelBuild],
      [`${at}netlify.toml`, noNetlifyBuild],
    ]);
    return new Map([['README.md', readme] as const, ...quieting].filter(([path]) => !holds(before, path)));
  }
}
