import { isMap } from '../../../core/json.ts';
import { answersIn } from '../addresses.ts';
import { endingsOf } from '../endings.ts';
import type { Asked, FactReader, HostEvidence, Reading, SourceFile, VariableUse } from '../facts.ts';
import { folderOf } from '../paths.ts';
import { linesOf } from './source.ts';

/** What one file says about hosts, before its place is filled in. */
export type Said = Partial<HostEvidence> & Pick<HostEvidence, 'provider'>;

/** Evidence of a host's own configuration for the folder in which it lies, unless it says otherwise. */
export const evidence = ({ path, text }: SourceFile, said: Said): HostEvidence => ({
  folder: folderOf(path),
  file: path,
  line: said.line ?? (text === '' ? 0 : 1),
  by: 'config',
  ids: {},
  ...said,
});

/** A reader of a file with data: JSON with comments, TOML or YAML, by its name. A file without a map at its top says nothing. */
export function dataReader(
  name: string,
  takes: RegExp,
  read: (root: Record<string, unknown>, file: SourceFile, asked: Asked) => Reading | null,
): FactReader {
  const endings = endingsOf(takes);
  return {
    name,
    takes: (path) => takes.test(path),
    ...(endings && { endings }),
    read: async (file, asked) => {
      const { readDataFile } = await import('../data-file.ts');
      // YAML readers take the first document; the others of a file repeat its form.
      const root = readDataFile(
        file.path,
        /\.ya?ml$/.test(file.path) ? (file.text.split(/^---[ \t]*$/m).find((part) => part.trim() !== '') ?? '') : file.text,
      );
      return isMap(root) ? (read(root, file, asked) ?? {}) : {};
    },
  };
}

export const mapOf = (value: unknown): Record<string, unknown> => (isMap(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const mapsOf = (value: unknown): readonly Record<string, unknown>[] => listOf(value).filter(isMap);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

let last: { readonly text: string; readonly lineAt: (offset: number) => number } = { text: '', lineAt: () => 0 };

/** The line on which a word first stands; 0 where it does not. A reader asks many times for one file. */
export function lineOf(text: string, word: string): number {
  const at = word === '' ? -1 : text.indexOf(word);
  if (at < 0) return 0;
  if (last.text !== text) last = { text, lineAt: linesOf(text) };
  return last.lineAt(at);
}

const isName = (name: string): boolean => /^[A-Za-z_]\w{0,99}$/.test(name);

/** Variables that a file gives a deployable. Their values are compared with the hosts that services ask for, and not kept. */
export function variablesIn(
  values: readonly (readonly [name: string, value: unknown])[],
  { path, text }: SourceFile,
  asked: Asked,
  place: Pick<VariableUse, 'where' | 'use'> = { where: 'host', use: 'runtime' },
): readonly VariableUse[] {
  const seen = new Set<string>();
  return values.flatMap(([name, value]) => {
    if (!isName(name) || seen.has(name)) return [];
    seen.add(name);
    const { hosts, schemes } = answersIn(typeof value === 'string' ? value : '', asked, /HOST/.test(name));
    return [{ name, file: path, line: lineOf(text, name), ...place, hosts, schemes }];
  });
}

export const namesIn = (variables: readonly VariableUse[]): { readonly variables?: readonly string[] } =>
  variables.length > 0 ? { variables: variables.map(({ name }) => name) } : {};

/** A map as pairs; what is no map has none. */
export const pairsOf = (value: unknown): readonly (readonly [string, unknown])[] => Object.entries(mapOf(value));
