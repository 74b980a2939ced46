/** A command that a line of a step's output gave to the runner. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** What the runner itself says of a command that it knows and refuses: the step fails. */
export interface Refused {
  readonly command: WorkflowCommand;
  readonly why: string;
}

const stop = 'stop-commands';

/** As the runner registers them (github.com/actions/runner, `ActionCommandManager`). */
const known = new Set([
  stop,
  'set-env',
  'set-output',
  'save-state',
  'add-mask',
  'add-path',
  'add-matcher',
  'remove-matcher',
  'debug',
  'warning',
  'error',
  'notice',
  'group',
  'endgroup',
  'echo',
]);

/** Known to the runner and switched off since they were found to let output of others change the job. */
const unsafe = new Set(['set-env', 'add-path']);

/** What a line means to the runner. */
export type Heard =
  | { readonly kind: 'text' }
  | { readonly kind: 'command'; readonly command: WorkflowCommand }
  | { readonly kind: 'refused'; readonly refused: Refused };

/**
 * Hears the lines of one step as the runner does: `::name key=value::data` where a line begins with it, and the older
 * `##[name key=value]data` anywhere in a line. Between `::stop-commands::token` and `::token::` nothing is a command.
 */
export class CommandEar {
  #stopToken: string | null = null;

  hear(line: string): Heard {
    const command = this.#inNewForm(line) ?? this.#inOldForm(line);
    if (command === null) return { kind: 'text' };
    if (this.#stopToken !== null) {
      if (!isSame(command.name, this.#stopToken)) return { kind: 'text' };
      this.#stopToken = null;
      return { kind: 'command', command };
    }
    if (isSame(command.name, stop)) this.#stopToken = command.data;
    if (unsafe.has(command.name.toLowerCase())) {
      return { kind: 'refused', refused: { command, why: `The \`${command.name}\` command is disabled.` } };
    }
    return { kind: 'command', command };
  }

  #inNewForm(line: string): WorkflowCommand | null {
    const text = line.replace(spaceBefore, '');
    const end = text.startsWith('::') ? text.indexOf('::', 2) : -1;
    return end < 0 ? null : this.#command(text.slice(2, end), text.slice(end + 2), ',', { data: newData, property: newProperty });
  }

  #inOldForm(line: string): WorkflowCommand | null {
    const start = line.indexOf('##[');
    const end = start < 0 ? -1 : line.indexOf(']', start);
    return end < 0 ? null : this.#command(line.slice(start + 3, end), line.slice(end + 1), ';', { data: old, property: old });
  }

  #command(
    head: string,
    data: string,
    separator: string,
    escapes: { readonly data: Escapes; readonly property: Escapes },
  ): WorkflowCommand | null {
    const space = head.indexOf(' ');
    const name = space < 0 ? head : head.slice(0, space);
    if (!known.has(name.toLowerCase()) && !(this.#stopToken !== null && isSame(name, this.#stopToken))) return null;
    const pairs = space < 0 ? [] : head.slice(space + 1).split(separator);
    const properties = pairs.flatMap((pair) => {
      const [, key, value] = /^=*([^=]+)=(.+)$/s.exec(pair.trim()) ?? [];
      return key === undefined || value === undefined ? [] : [[key.toLowerCase(), unescaped(value, escapes.property)] as const];
    });
    return { name, properties: Object.fromEntries(properties), data: unescaped(data, escapes.data) };
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** What .NET's `TrimStart` takes away; JavaScript's differs by U+0085 and U+FEFF. */
const spaceBefore = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

type Escapes = readonly (readonly [escaped: string, text: string])[];

// The percent sign comes last, as there.
const newData: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
];
const newProperty: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
];
const old: Escapes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
];

const unescaped = (text: string, escapes: Escapes): string =>
  escapes.reduce((sofar, [escaped, meant]) => sofar.replaceAll(escaped, meant), text);
