/** A program that a script starts. */
export interface Started {
  /** The name without its folder and version: `wrangler` of `npx wrangler@4`. */
  readonly program: string;
  /** The first word as it stands: `./scripts/deploy.sh`. */
  readonly command: string;
  readonly words: readonly string[];
  /** From 1, in the text. */
  readonly line: number;
  /** The folder into which the script went before, from where the script began; `null` if nobody can tell. */
  readonly folder: string | null;
  /** The package that a package manager is told to work on: `web` of `pnpm --filter web exec`. */
  readonly filter: string | null;
}

/** Longer scripts are no work of a person. */
const longest = 64 * 1024;

/**
 * The programs that a shell script starts, in order, with the values of variables that the script or its caller sets. A program may stand
 * behind others (`npx`, `sudo`, `doppler run --`) or in quotes (`ssh host "flyctl deploy"`). The texts of `echo` and here-documents start
 * nothing.
 */
export function startedIn(text: string, given: ReadonlyMap<string, string> = new Map()): readonly Started[] {
  const known = new Map(given);
  let folder: string | null = '';
  return commandsOf(text.slice(0, longest)).flatMap(({ words, line }) => {
    const filled = words.map((word) => fill(word, known));
    const rest = withoutAssignments(filled, known);
    if (rest[0] === 'cd' || rest[0] === 'pushd') folder = joined(folder, rest.find((word, i) => i > 0 && !word.startsWith('-')) ?? '');
    return programsOf(rest, { line, folder, filter: null }, 0);
  });
}

/** Joins two paths; `null` where a part is not known or leads out of the repository. */
export function joined(folder: string | null, path: string): string | null {
  if (folder === null || path.startsWith('/') || /[$~*]/.test(path)) return null;
  const parts: string[] = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

type Place = Pick<Started, 'line' | 'folder' | 'filter'>;

/** Words of the shell, and programs that start the rest of their words. */
const before = new Set([
  'sudo',
  'time',
  'exec',
  'command',
  'nohup',
  'then',
  'do',
  'else',
  'if',
  'elif',
  'while',
  'until',
  '!',
  '{',
  '-',
  '@',
  'env',
  'cross-env',
  'xargs',
  'retry',
]);
const quiet = new Set(['echo', 'printf', 'git', 'gh', 'cat', 'grep', 'sed', 'awk', 'jq', 'test', '[', '[[', 'export', 'set']);
const managers = new Set(['npm', 'pnpm', 'yarn', 'bun', 'corepack']);
const runners = new Set(['npx', 'bunx', 'pnpx', 'pnpm-exec', 'uvx', 'pipx']);

/** The programs of one command, with those that it starts itself. */
function programsOf(words: readonly string[], place: Place, depth: number): readonly Started[] {
  const [first, ...rest] = words;
  if (first === undefined || depth > 6) return [];
  const program = nameOf(first);
  const next = (some: readonly string[], filter = place.filter): readonly Started[] => programsOf(some, { ...place, filter }, depth + 1);
  if (before.has(program)) return next(rest.slice(firstBare(rest)));
  if (runners.has(program)) return next(afterFlags(rest, ['-p', '--package', '-c', '--from']));
  if (managers.has(program)) return [{ program, command: first, words: rest, ...place }, ...next(...managed(rest, place.filter))];
  if ((program === 'bundle' && rest[0] === 'exec') || (wrapped.has(program) && rest[0] === 'run'))
    return [{ program, command: first, words: rest, ...place }, ...next(afterFlags(afterDashes(rest.slice(1)), []))];
  if (/^python[\d.]*$/.test(program) && rest[0] === '-m') return next(rest.slice(1));
  const own: Started = { program, command: first, words: rest, ...place };
  if (quiet.has(program)) return [own];
  const dashes = rest.indexOf('--');
  const behind = dashes >= 0 ? next(rest.slice(dashes + 1)) : next(wrappedBy(program, rest));
  return [own, ...behind, ...rest.filter((word) => /\S\s+\S/.test(word)).flatMap((word) => inQuotes(word, place, depth))];
}

/** Programs of clouds. Scripts often start them through a function of their own: `run_logged gcloud run deploy`, `try 3 aws ecs …`. */
const clouds = new Set(
  'aws az gcloud kubectl helm docker docker-compose flyctl fly heroku vercel netlify wrangler firebase cf doctl railway gke-deploy'.split(
    ' ',
  ),
);

/** What a function of a script starts: the words from the first program of a cloud, behind flags and numbers. A cloud's own words are none. */
function wrappedBy(program: string, rest: readonly string[]): readonly string[] {
  const at = rest.findIndex((word) => !/^-|^\d+[smh]?$/.test(word));
  return clouds.has(program) || !clouds.has(rest[at] ?? '') || looks.has(program) ? [] : rest.slice(at);
}

/** Programs that only look for others, or install them. */
const looks = new Set('which type hash whereis man install add i ci update upgrade remove global create init link help'.split(' '));

const wrapped = new Set(['poetry', 'uv', 'pipenv', 'rye', 'hatch', 'pdm', 'doppler', 'op', 'infisical', 'dotenvx', 'deno', 'flox']);

function inQuotes(text: string, place: Place, depth: number): readonly Started[] {
  return commandsOf(text).flatMap(({ words, line }) =>
    programsOf(withoutAssignments(words, new Map()), { ...place, line: place.line + line - 1 }, depth + 1),
  );
}

/** The place of the first word that is neither a flag nor `NAME=value`. */
function firstBare(words: readonly string[]): number {
  const at = words.findIndex((word) => !word.startsWith('-') && !/^\w+=/.test(word));
  return at < 0 ? words.length : at;
}

function afterFlags(words: readonly string[], withValue: readonly string[]): readonly string[] {
  let i = 0;
  while (i < words.length && (words[i] ?? '').startsWith('-')) i += withValue.includes(words[i] ?? '') ? 2 : 1;
  return words.slice(i);
}

const afterDashes = (words: readonly string[]): readonly string[] => (words.includes('--') ? words.slice(words.indexOf('--') + 1) : words);

/** What a package manager starts (`yarn dlx x`, `pnpm --filter web exec x`, `yarn x`), and the package that it works on. */
function managed(words: readonly string[], outer: string | null): [readonly string[], string | null] {
  let filter = outer;
  let i = 0;
  while (i < words.length) {
    const word = words[i] ?? '';
    const match = /^(?:--filter|-F|--workspace|-w|--prefix|-C|--dir|--cwd|workspace)(?:=(.+))?$/.exec(word);
    if (match) filter = match[1] ?? words[i + 1] ?? filter;
    else if (!word.startsWith('-') && !plainWords.has(word)) break;
    i += match && match[1] === undefined ? 2 : 1;
  }
  return [words.slice(i), filter];
}

const plainWords = new Set(['dlx', 'exec', 'x', 'run', 'npm', 'pnpm', 'yarn', 'bun']);

/** `./node_modules/.bin/wrangler@4` is `wrangler`. A package of a scope keeps it. */
function nameOf(word: string): string {
  const bare = word.replace(/(?<=.)@[\w.^~-]*$/, '');
  return bare.startsWith('@') ? bare : bare.slice(bare.lastIndexOf('/') + 1);
}

function withoutAssignments(words: readonly string[], known: Map<string, string>): readonly string[] {
  let i = words[0] === 'export' || words[0] === 'local' ? 1 : 0;
  for (; i < words.length; i += 1) {
    const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[i] ?? '');
    if (!match) break;
    known.set(match[1] ?? '', match[2] ?? '');
  }
  return words.slice(i);
}

const fill = (word: string, known: ReadonlyMap<string, string>): string =>
  word.replace(
    /\$(?:\{(\w+)(?::?-[^}]*)?\}|(\w+))/g,
    (whole, braced: string | undefined, bare: string | undefined) => known.get(braced ?? bare ?? '') ?? whole,
  );

interface Command {
  readonly words: readonly string[];
  readonly line: number;
}

/** Splits a script into commands and their words. One pass, so that no text makes it slow. */
function commandsOf(text: string): readonly Command[] {
  const splitter = new Splitter(text);
  return splitter.split();
}

class Splitter {
  readonly #text: string;
  readonly #commands: Command[] = [];
  #words: string[] = [];
  #word: string | null = null;
  #line = 1;
  #start = 1;
  #until: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  split(): readonly Command[] {
    let i = 0;
    while (i < this.#text.length) i = this.#step(i);
    this.#endCommand();
    return this.#commands;
  }

  /** Takes the sign at `i` and gives the place of the next. */
  #step(i: number): number {
    const sign = this.#text[i] ?? '';
    if (sign === '\n') return this.#newLine(i);
    if (sign === '\\') return this.#escape(i);
    if (sign === '"' || sign === "'") return this.#quoted(i, sign);
    if (sign === '$' && this.#text[i + 1] === '{') return this.#braces(i);
    if (sign === '#' && this.#word === null) return this.#endOfLine(i);
    if (sign === '<' && this.#text.startsWith('<<', i)) return this.#hereDocument(i);
    if (sign === '>' && this.#text[i + 1] === '&') return i + 2;
    if (';|&()`'.includes(sign)) this.#endCommand();
    else if (/[\s<>]/.test(sign)) this.#endWord();
    else this.#add(sign);
    return i + 1;
  }

  #add(text: string): void {
    if (this.#words.length === 0 && this.#word === null) this.#start = this.#line;
    this.#word = (this.#word ?? '') + text;
  }

  #newLine(i: number): number {
    this.#endCommand();
    this.#line += 1;
    if (this.#until === null) return i + 1;
    // The lines of a here-document are text.
    const closing = new RegExp(`^[ \\t]*${this.#until}[ \\t]*$`, 'm');
    const rest = closing.exec(this.#text.slice(i + 1));
    const end = rest ? i + 1 + rest.index + rest[0].length : this.#text.length;
    this.#line += linesIn(this.#text.slice(i + 1, end));
    this.#until = null;
    return end;
  }

  #escape(i: number): number {
    const next = this.#text[i + 1] ?? '';
    if (next === '\n') {
      this.#endWord();
      this.#line += 1;
    } else if (next === '\r' && this.#text[i + 2] === '\n') {
      this.#endWord();
      this.#line += 1;
      return i + 3;
    } else {
      this.#add(next);
    }
    return i + 2;
  }

  #quoted(i: number, quote: string): number {
    let end = this.#text.indexOf(quote, i + 1);
    while (quote === '"' && end > 0 && this.#text[end - 1] === '\\') end = this.#text.indexOf(quote, end + 1);
    if (end < 0) end = this.#text.length;
    const inner = this.#text.slice(i + 1, end);
    this.#add(inner.replaceAll('\\"', '"'));
    this.#line += linesIn(inner);
    return end + 1;
  }

  #braces(i: number): number {
    const end = this.#text.indexOf('}', i);
    const to = end < 0 ? this.#text.length : end + 1;
    const inner = this.#text.slice(i, to);
    this.#add(inner);
    this.#line += linesIn(inner);
    return to;
  }

  #endOfLine(i: number): number {
    const end = this.#text.indexOf('\n', i);
    return end < 0 ? this.#text.length : end;
  }

  #hereDocument(i: number): number {
    this.#endWord();
    const match = /^<<[-~]?[ \t]*["']?(\w+)["']?/.exec(this.#text.slice(i, i + 100));
    this.#until = match?.[1] ?? null;
    return i + (match?.[0].length ?? 2);
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word);
    this.#word = null;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0) this.#commands.push({ words: this.#words, line: this.#start });
    this.#words = [];
  }
}

const linesIn = (text: string): number => text.split('\n').length - 1;
