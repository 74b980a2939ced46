import type { Files } from './store.ts';

/** The folder of a commit that holds the ledger. What stands beside it is for people and hosts, and is no part of `Tree.files`. */
export const ledgerFolder = '.pilotfish';

/** Keeps a host from building a branch that has nothing to build. */
export const noVercelBuild = `${JSON.stringify({ git: { deploymentEnabled: false } }, null, 2)}\n`;

const readme = `# Written by pilotfish

This branch is the ledger of a preview environment: what pilotfish made at which provider, so that the next run on any machine
can see drift and knows what to remove.

It shares no history with your code and is never merged. Do not edit it and do not delete it: the objects that it names would
stay behind. \`pilotfish apply --destroy\` removes them.
`;

/** What every ledger branch below \`refs/heads/\` holds beside the ledger. */
export function rootFiles(more: Files = new Map()): Files {
  return new Map([['README.md', readme], ['vercel.json', noVercelBuild], ['netlify.toml', '[build]\n  ignore = "exit 0"\n'], ...more]);
}
