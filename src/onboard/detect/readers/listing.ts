import type { Ecosystem } from '../../../ops/signals.ts';
import { isCredential, isSecretName } from '../../../plan/secret-names.ts';
import type { Fact, Manifest, Reading, SourceFile } from '../facts.ts';
import { commandsIn } from './script-commands.ts';
import { isTestPath } from './source.ts';

type Role = 'runtime' | 'develop';

interface Options {
  readonly folder?: string;
  readonly aliases?: Manifest['aliases'];
  readonly name?: string | null;
  readonly isPublished?: boolean | null;
  readonly hasProgram?: boolean;
  readonly problem?: string;
}

/** Larger lists are data and no manifest. */
const most = 5000;

/** Collects what a manifest lists, and gives it as facts and as a manifest. */
export class Listing {
  readonly #file: SourceFile;
  readonly #ecosystem: Ecosystem;
  readonly #packages = new Map<string, { readonly use: Role; readonly line: number }>();
  readonly #members = new Set<string>();
  readonly #references = new Set<string>();
  readonly #scripts: { [name: string]: string } = Object.create(null);

  constructor(file: SourceFile, ecosystem: Ecosystem) {
    this.#file = file;
    this.#ecosystem = ecosystem;
  }

  /** A package that stands in two lists runs if one of them says so. */
  package(name: string, use: Role, line: number): void {
    const known = this.#packages.get(name);
    if (name === '' || name.length > 300 || known?.use === 'runtime' || (known && use === 'develop')) return;
    if (known || this.#packages.size < most) this.#packages.set(name, { use: isTestPath(this.#file.path) ? 'develop' : use, line });
  }

  member(pattern: string): void {
    const plain = pattern.replace(/^(!?)\.?\/+/, '$1').replace(/\/+$/, '');
    if (plain.length > 0 && plain.length <= 500 && this.#members.size < most) this.#members.add(plain);
  }

  reference(nameOrFolder: string | null): void {
    if (nameOrFolder !== null && this.#references.size < most) this.#references.add(nameOrFolder);
  }

  script(name: string, command: unknown): void {
    if (typeof command === 'string') this.#scripts[name] = withoutValues(command.slice(0, 4000));
  }

  reading({ folder, aliases, name = null, isPublished = null, hasProgram = false, problem }: Options = {}): Reading {
    const { path: file } = this.#file;
    const packages = [...this.#packages];
    const listed = packages.map(([one, { use, line }]): Fact => ({ kind: 'package', name: `${this.#ecosystem}:${one}`, file, line, use }));
    const commands = Object.entries(this.#scripts).flatMap(([key, script]) => {
      const use = running.test(key) ? 'runtime' : 'develop';
      return commandsIn({ script }).map((one): Fact => ({ kind: 'command', name: one, file, line: 0, use }));
    });
    const manifest: Manifest = {
      file,
      ...(folder !== undefined && { folder }),
      ecosystem: this.#ecosystem,
      name,
      packages: packages.map(([one, { use }]) => ({ name: one, use })),
      isPublished,
      hasProgram,
      members: [...this.#members],
      references: [...this.#references],
      scripts: { ...this.#scripts },
      ...(aliases && { aliases }),
    };
    return { facts: [...listed, ...commands], manifest, ...(problem !== undefined && { problem }) };
  }
}

/** Scripts that build, start or deploy the app. The others are for the work on it. */
const running =
  /^(?:pre|post)?(?:build|start|serve|deploy|release|preview|prod|production|migrate|install|vercel-build|heroku-postbuild)(?:$|[:_-])/;

const assignment = /(?<![\w-])([A-Za-z_]\w*)=(?:"[^"\n]*"|'[^'\n]*'|[^\s"';&|]*)/g;
const flag = /(?<![\w-])(--?([A-Za-z][\w-]*)[= ])("[^"\n]*"|'[^'\n]*'|[^\s"';&|]+)/g;
/** Flags of `curl` that take headers, passwords and bodies. */
const carrier = /^(?:H|header|u|user|d|data(?:-\w+)?)$/;

/** A script keeps its words and loses the values that it sets, and what looks like a credential. */
export function withoutValues(script: string): string {
  return script
    .replace(assignment, '$1=')
    .replace(flag, (whole, before: string, name: string) => (isSecretName(name) || carrier.test(name) ? before : whole))
    .split(/(\s+)/)
    .map((word) => (isCredential(word) ? '' : word))
    .join('');
}
