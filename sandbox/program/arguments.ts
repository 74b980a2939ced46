import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from '../serve/problem.ts';

export interface Asked {
  readonly what: 'start' | 'values' | 'help' | 'version';
  readonly port: number | null;
  readonly state: string;
  readonly isJson: boolean;
  /** The command behind `--`, `null` where there is none. */
  readonly command: readonly [string, ...(readonly string[])] | null;
}

export const help = `pilotfish-sandbox: every provider that pilotfish knows, simulated on this machine, with a git remote.

  pilotfish-sandbox                        start it, and print what to set
  pilotfish-sandbox -- <command>           start it, run one command in it, and end with the command
  pilotfish-sandbox values [--json]        list what a plan may name: projects, zones, flags

  --port <number>     the port (default: a free one, and the same again at the next start)
  --state <folder>    where it keeps its state (default: .pilotfish/sandbox)
  --json              with values: as one JSON document
  --version, --help
`;

const fix = 'Read pilotfish-sandbox --help.';

/** The arguments of a start. Throws a `Problem` for what it does not know. */
export function readArguments(argv: readonly string[]): Asked {
  const end = argv.indexOf('--');
  const [program, ...rest] = end < 0 ? [] : argv.slice(end + 1);
  if (end >= 0 && program === undefined) throw new Problem('There is no command behind --.', fix);
  const command = program === undefined ? null : ([program, ...rest] as const);
  const { values, positionals } = parsed(end < 0 ? argv : argv.slice(0, end));
  const [word, ...more] = positionals;
  if (more.length > 0 || (word !== undefined && word !== 'values')) {
    throw new Problem(`"${positionals.join(' ')}" is no command of the sandbox.`, `A command to run in it comes after --. ${fix}`);
  }
  const what = values.help ? 'help' : values.version ? 'version' : word === 'values' ? 'values' : 'start';
  if (values.json && what !== 'values') throw new Problem('--json belongs to values.', fix);
  if (what === 'values' && command) throw new Problem('values runs no command.', fix);
  return {
    what,
    port: portIn(values.port),
    state: resolve(values.state ?? '.pilotfish/sandbox'),
    isJson: values.json === true,
    command,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        state: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    throw new Problem(error instanceof Error ? error.message : String(error), fix);
  }
}

function portIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port > 0 && port <= 65_535) return port;
  throw new Problem(`--port is ${JSON.stringify(text)}, which is no port.`, 'Give a number from 1 to 65535.');
}
