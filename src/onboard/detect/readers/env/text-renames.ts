import type { FactReader, Rename, SourceFile } from '../../facts.ts';
import { folderAround } from '../code/renames.ts';

/** Reads the places that give a variable another name: scripts of a shell, Dockerfiles, workflows, compose files. */
export const textRenames: FactReader = {
  name: 'text-renames',
  endings: ['sh', 'bash', 'zsh', 'makefile', 'justfile', 'procfile', 'envrc', 'dockerfile', 'containerfile', 'json', 'yml', 'yaml'],
  takes: (path) => kinds.some(({ files }) => files.test(path)),
  read: (file) => {
    const kind = kinds.find(({ files }) => files.test(file.path));
    return kind ? { renames: unique(kind.read(file)) } : {};
  },
};

/** Two patterns may find the same place. */
const unique = (all: readonly Rename[]): readonly Rename[] => [
  ...new Map(all.map((one) => [`${one.from} ${one.to} ${one.line}`, one])).values(),
];

const name = '([A-Z][A-Z0-9_]{1,79})';
/** `A=$B`, `export A="${B:-x}"`, `echo "A=$B" >> .env`. */
const assigning = new RegExp(`(?<![\\w$])${name}=["']?\\$\\{?${name}(?::?[-?+][^}\\n]{0,200})?\\}?["']?(?=[\\s;&"'\\\\|)]|$)`, 'gm');
/** `ENV A $B`. */
const declaring = new RegExp(`^[ \\t]*(?:ENV|env)[ \\t]+${name}[ \\t]+["']?\\$\\{?${name}\\}?["']?[ \\t]*$`, 'gm');
/** `A: ${{ secrets.B }}` of a workflow, `A: ${B:-x}` of a compose file. */
const mapping = new RegExp(
  `^[ \\t]*(?:-[ \\t]+)?["']?${name}["']?[ \\t]*[:=][ \\t]*["']?\\$\\{(?:\\{[ \\t]*(?:secrets|vars|env)\\.${name}[ \\t]*\\}|${name}(?::?[-?+][^}\\n]{0,200})?)\\}["']?[ \\t]*$`,
  'gm',
);
/** `sed 's/^PUBLIC_/NEXT_PUBLIC_/'`, `sed "s|^|VITE_|"`. */
const editing = /\bsed\b[^\n;|]{0,60}?["']s([/|#,])\^?([A-Z][A-Z0-9_]*_|)\1([A-Z][A-Z0-9_]*_)\1/g;

const shell = (file: SourceFile): readonly Rename[] => [...pairs(file, assigning), ...pairs(file, declaring), ...prefixes(file)];

const kinds: readonly { readonly files: RegExp; readonly read: (file: SourceFile) => readonly Rename[] }[] = [
  {
    files: /\.(?:sh|bash|zsh)$|(?:^|\/)(?:Makefile|[jJ]ustfile|Procfile|\.envrc)$|(?:^|\/)package\.json$/,
    read: shell,
  },
  { files: /(?:^|\/)(?:[\w.-]*\.)?(?:Docker|Container)file$/, read: shell },
  {
    files:
      /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/.+\.ya?ml$|(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$|^\.gitlab-ci\.yml$|^\.circleci\/.+\.ya?ml$|(?:^|\/)[tT]askfile\.ya?ml$/,
    read: (file) => [...pairs(file, mapping), ...shell(file)],
  },
];

function pairs(file: SourceFile, pattern: RegExp): readonly Rename[] {
  const found: Rename[] = [];
  for (const match of file.text.matchAll(pattern)) {
    const [to = '', from = ''] = match.slice(1).filter((group) => group !== undefined);
    if (from === to || isComment(file.text, match.index)) continue;
    found.push({
      file: file.path,
      line: lineOf(file.text, match.index),
      from,
      to,
      isPrefix: false,
      folder: folderAround(file.text, match.index),
    });
    if (found.length >= 500) break;
  }
  return found;
}

const prefixes = (file: SourceFile): readonly Rename[] =>
  [...file.text.matchAll(editing)].slice(0, 100).flatMap((match): Rename[] => {
    const [, , from = '', to = ''] = match;
    const line = file.text.slice(match.index, match.index + 400).split('\n', 1)[0] ?? '';
    if (!line.includes('.env') || isComment(file.text, match.index)) return [];
    return [{ file: file.path, line: lineOf(file.text, match.index), from, to, isPrefix: true, folder: targetOf(line) }];
  });

/** The folder of the file that a line writes: `> apps/web/.env`. */
const targetOf = (line: string): string | null => {
  const folder = />\s*["']?(?:\.\/)?((?:[\w@.-]+\/)+)\.env/.exec(line)?.[1];
  return folder === undefined ? null : folder.slice(0, -1);
};

const isComment = (text: string, at: number): boolean => /^\s*#/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at + 1));

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
