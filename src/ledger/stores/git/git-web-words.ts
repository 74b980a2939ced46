import type { SignIn } from './git-credentials.ts';

/**
 * Environment by which the system's git signs in to one address over http, and to no other: its command line would show a header to every
 * process of the machine. Git asks no helper, follows no redirect with the header, and speaks no other protocol.
 */
export function signedIn(env: NodeJS.ProcessEnv, url: string, signIn: SignIn): NodeJS.ProcessEnv {
  const header = `http.${url}.extraHeader`;
  const entries: readonly (readonly [key: string, value: string])[] = [
    ['credential.helper', ''],
    ['http.followRedirects', 'false'],
    // An empty value drops the headers that other files name for the address: most hosts refuse two sign-ins.
    [header, ''],
    // On a kept connection git's transport would send a push again, unseen, when its answer is lost.
    [header, 'Connection: close'],
    ...Object.entries(signIn).map(([name, value]) => [header, `${name}: ${value}`] as const),
  ];
  const first = Number(env.GIT_CONFIG_COUNT) || 0;
  const given = entries.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${first + i}`, key],
    [`GIT_CONFIG_VALUE_${first + i}`, value],
  ]);
  return {
    ...env,
    ...Object.fromEntries(given),
    GIT_CONFIG_COUNT: String(first + entries.length),
    GIT_ALLOW_PROTOCOL: new URL(url).protocol.slice(0, -1),
  };
}

/** The status of a host's refusal, as git 2.20 and newer tell it over http; `null` where the words name none. */
export function statusIn(words: string): number | null {
  const told = /returned error: (\d{3})\b|\bHTTP (\d{3})\b/.exec(words);
  if (told) return Number(told[1] ?? told[2]);
  if (/authentication failed for |could not read (username|password) for /i.test(words)) return 401;
  return /^fatal: repository '.*' not found/m.test(words) ? 404 : null;
}

/** Whether the host may answer another way a moment later. */
export const mayPassLater = (status: number): boolean => status === 429 || status === 408 || status >= 500;
