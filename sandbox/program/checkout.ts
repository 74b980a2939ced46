import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

/** The remotes of the checkout in a folder. */
export interface Checkout {
  /** Every address that a remote has, as it is configured. */
  readonly addresses: readonly string[];
  /** `owner/name` as `origin` or the only remote says it, or one that the folder's name makes. */
  readonly slug: string;
}

export async function checkoutAt(folder: string): Promise<Checkout> {
  const own = `sandbox/${basename(folder).replaceAll(/[^\w.-]+/g, '-') || 'project'}`;
  const told = await promisify(execFile)('git', ['config', '--get-regexp', '^remote\\..*\\.(push)?url$'], { cwd: folder }).catch(
    () => null,
  );
  const entries = (told?.stdout ?? '').split('\n').flatMap((line): [string, string][] => {
    const [, name, address] = /^remote\.(.+)\.(?:push)?url (.+)$/.exec(line) ?? [];
    return name === undefined || address === undefined ? [] : [[name, address]];
  });
  const first = entries.find(([name]) => name === 'origin') ?? entries[0];
  const slug = /([\w.-]+\/[\w.-]+?)(?:\.git)?\/*$/.exec(first?.[1] ?? '')?.[1];
  return { addresses: entries.map(([, address]) => address), slug: slug ?? own };
}

/**
 * Variables by which git, in this folder, takes the sandbox's remote for every remote that the checkout has. Without one the sandbox's is
 * `origin`. Nothing that the command pushes leaves the machine, and the checkout's own configuration stays as it is.
 */
export function gitVariables(checkout: Checkout, remote: string, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const entries: (readonly [key: string, value: string])[] =
    checkout.addresses.length === 0
      ? [
          ['remote.origin.url', remote],
          ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
        ]
      : checkout.addresses.flatMap((address) => [
          [`url.${remote}.insteadOf`, address],
          [`url.${remote}.pushInsteadOf`, address],
        ]);
  const first = Number(env.GIT_CONFIG_COUNT) || 0;
  return {
    GIT_CONFIG_COUNT: String(first + entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${first + i}`, key],
        [`GIT_CONFIG_VALUE_${first + i}`, value],
      ]),
    ),
  };
}
