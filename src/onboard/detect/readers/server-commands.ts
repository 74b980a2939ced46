import type { HostCommand } from './host-commands.ts';
import type { Started } from './shell.ts';

/** What starts an app on the machine on which it stands. */
const starts: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [/^docker$/, /^(?:.* )?(?:compose .*\bup\b|run .*(?:-d|--detach)\b|run -\w*d\b)/],
  [/^docker-compose$/, /\bup\b/],
  [/^systemctl$/, /\b(?:re)?start\b/],
  [/^(?:pm2|supervisorctl)$/, /\b(?:re)?(?:start|load)\w*\b/],
  [/^java$/, /-jar\b/],
];
/** Docker is told of another machine. */
const isRemote = /(?:^| )(?:-H|--host)[ =]?(?:ssh|tcp):|(?:^| )(?:--context|-c)[ =](?!default)/;

/** Docker that works on another machine, and any start of an app in a deployment on a machine of the owner, is a server of their own. */
export function serverCommand({ program, command, words, line, folder }: Started, isOnServer: boolean): HostCommand | null {
  const text = words.join(' ').slice(0, 2000);
  const isStart = starts.some(([name, does]) => name.test(program) && does.test(text));
  const isScript = /^\/(?:home|opt|srv|var)\//.test(/^(?:bash|sh)$/.test(program) ? (words[0] ?? '') : command);
  const isTold = /^docker(?:-compose)?$/.test(program) && isStart && isRemote.test(text);
  if (!isTold && !(isOnServer && (isStart || isScript))) return null;
  return { provider: 'own_server', builds: 'ci', ids: {}, line, folder, isProduction: false, isWeak: false };
}
