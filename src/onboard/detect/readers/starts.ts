import type { HostEvidence, Script, Start } from '../facts.ts';
import { hostCommand } from './host-commands.ts';
import { joined, type Started, startedIn } from './shell.ts';

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'source', '.']);
const interpreters = /^(?:python[\d.]*|ruby|node|tsx|ts-node|bun|deno)$/;
const makers = new Set(['make', 'gmake', 'just']);
const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** What a step or a script starts from the repository itself, with what the caller knows of the place; `null` for any other program. */
export function startOf(started: Started, at: Pick<Start, 'file' | 'folder' | 'by' | 'variables'>): Start | null {
  const what = scriptOf(started) ?? targetsOf(started) ?? nameOf(started);
  if (!what) return null;
  const folder = started.folder === null ? at.folder : (joined(at.folder, started.folder) ?? at.folder);
  const inner = what.folder === undefined ? folder : (joined(folder, what.folder) ?? folder);
  return { ...at, what: what.what, names: what.names, folder: inner, filter: what.filter ?? started.filter };
}

type What = Pick<Start, 'what' | 'names'> & { readonly folder?: string; readonly filter?: string };

/** `./scripts/deploy.sh`, `bash deploy.sh x`, `python deploy.py`. The root of a checkout may stand before the path as a variable. */
function scriptOf({ command, program, words }: Started): What | null {
  if (interpreters.test(program)) {
    const file = words.find((word) => /^(?:\.\/)?[\w-][\w./-]*\.(?:py|rb|[cm]?[jt]s)$/.test(word));
    return file === undefined ? null : { what: 'file', names: [file] };
  }
  const path = shells.has(program) ? words.find((word) => !/^[-+]/.test(word)) : command;
  const bare = path?.replace(/^(?:\$\{?[\w?]+\}?\/)+/, '') ?? '';
  const isScript =
    shells.has(program) || bare !== path ? /^[\w.][\w./-]*$/.test(bare) : /^(?:\.{1,2}\/)?[\w.-]+\/[\w./-]+$|^\.\/[\w.-]+$/.test(bare);
  return isScript && !bare.startsWith('node_modules/') && !bare.includes('/.bin/') ? { what: 'file', names: [bare] } : null;
}

/** `make -C api deploy`. Without a target it is the first, which builds. */
function targetsOf({ program, words }: Started): What | null {
  if (!makers.has(program)) return null;
  const flag = words.findIndex((word) => word === '-C' || word === '--directory' || word === '-d');
  const folder = words[flag + 1];
  const names = words.filter((word, i) => /^[A-Za-z][\w.%/-]*$/.test(word) && (flag < 0 || i !== flag + 1));
  return names.length === 0 ? null : { what: 'make', names, ...(flag >= 0 && folder !== undefined && { folder }) };
}

/** `npm run deploy`, `yarn deploy`, `pnpm --filter web run deploy`, `yarn workspace web deploy`. */
function nameOf({ program, words }: Started): What | null {
  if (!managers.has(program)) return null;
  const flags = new Map<string, string>();
  const bare: string[] = [];
  for (let i = 0; i < words.length && bare.length < 4; i += 1) {
    const word = words[i] ?? '';
    const [, flag, value] = /^(?:--?(prefix|cwd|C|dir|filter|F|workspace|w)(?:=(.+))?|workspace)$/.exec(word) ?? [];
    const isNamed = flag !== undefined || word === 'workspace';
    if (isNamed) flags.set(/^[pcCd]/.test(flag ?? '') ? 'folder' : 'filter', value ?? words[i + 1] ?? '');
    else if (!word.startsWith('-')) bare.push(word);
    if (isNamed && value === undefined) i += 1;
  }
  const name = bare[0] === 'run' || bare[0] === 'run-script' ? bare[1] : bare[0];
  const [folder, filter] = [flags.get('folder'), flags.get('filter')];
  if (name === undefined || !/^[\w:.-]+$/.test(name)) return null;
  return { what: 'package', names: [name], ...(folder !== undefined && { folder }), ...(filter !== undefined && { filter }) };
}

/** What the text of a script deploys and starts, with paths from where it starts. */
export function saidBy(text: string, file: string): Pick<Script, 'hosts' | 'starts'> {
  const all = startedIn(text);
  const hosts = all.flatMap((started): readonly HostEvidence[] => {
    const command = hostCommand(started);
    if (!command || command.isWeak) return [];
    const { isProduction, isWeak: _, folder, ...said } = command;
    return [{ ...said, folder: folder ?? '', file, by: isProduction ? 'deploy' : 'script' }];
  });
  const at = { file, folder: '', by: 'script', variables: [] } as const;
  return { hosts, starts: all.flatMap((started) => startOf(started, at) ?? []) };
}
