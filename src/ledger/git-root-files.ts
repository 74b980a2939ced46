/** The folder of a commit that holds the ledger. What stands beside it is for people and hosts, and is no part of `Tree.files`. */
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

/** What every ledger branch below `refs/heads/` holds beside the ledger: at its top, and in the folders that hosts may build. */
export function rootFiles(folders: readonly string[]): ReadonlyMap<string, string> {
  const quieting = ['', ...folders.map((folder) => `${folder}/`)].flatMap((at): [string, string][] => [
    [`${at}vercel.json`, noVercelBuild],
    [`${at}netlify.toml`, noNetlifyBuild],
  ]);
  return new Map([['README.md', readme], ...quieting]);
}
