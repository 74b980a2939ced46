/** The form of a flag's value. A `list` may be given more than once. */
export type FlagKind = 'switch' | 'text' | 'list' | 'number' | 'duration' | 'choice';

/** A shell offers these for a value: files, or words that this machine knows without a network. */
export type Completes =
  | 'branches'
  | 'codes'
  | 'environments'
  | 'files'
  | 'folders'
  | 'lines'
  | 'missing-lines'
  | 'operations'
  | 'pulls'
  | 'runs'
  | 'scopes';

/** The shells that `pilotfish completion` writes a script for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

export interface Flag {
  /** The name as typed, without the leading dashes: `lease-timeout`, `no-color`. */
  readonly name: string;
  readonly kind: FlagKind;
  /** The word between `<` and `>` in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  /** The default in words, for people. */
  readonly default?: string;
  readonly doc: string;
}

export type CommandName =
  | 'init'
  | 'plan'
  | 'apply'
  | 'run'
  | 'sandbox'
  | 'ledger'
  | 'list'
  | 'show'
  | 'live'
  | 'mcp'
  | 'explain'
  | 'completion';

export interface CommandSpec {
  readonly name: CommandName;
  readonly doc: string;
  /** A few sentences for the help page of the command. */
  readonly text: string;
  /** The one word after the command; a command without it takes none. */
  readonly argument?: CommandArgument;
  /** Further words, each needed. */
  readonly more?: readonly Pick<CommandArgument, 'name' | 'doc'>[];
  /** The command starts a program, whose words stand after `--` as they are. A command without it takes no `--`. */
  readonly program?: { readonly doc: string };
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
}

/** The one word after a command. */
export interface CommandArgument extends Pick<Flag, 'choices' | 'completes'> {
  readonly name: string;
  readonly isNeeded: boolean;
  readonly doc: string;
}

/** `--scope <scope>`, `--json`. */
export const showFlag = (flag: Flag): string => `--${flag.name}${flag.kind === 'switch' ? '' : ` <${flag.value ?? 'value'}>`}`;
