import type { Asked, Fact, FactReader } from '../../facts.ts';
import { type CommentStyle, linesOf, matchesOf, useOfCode, useOfSettings, withoutComments } from '../source.ts';

/** Languages whose code and settings name services by modules. Packages tell it for the others. */
const languages: readonly (readonly [files: RegExp, style: CommentStyle])[] = [
  [/\.exs?$/, 'hash'],
  [
    /(?:^|\/)(?:settings|config|conf)\/[\w/-]+\.py$|(?:^|[/_])settings(?:_\w+)?\.py$|(?:^|\/)(?:celery|celeryconfig|mail|storages?)\.py$/,
    'hash',
  ],
  [/(?:^|\/)(?:config|app|bootstrap|src|lib)\/.*\.php$|(?:^|\/)bundles\.php$/, 'slashes'],
  [/(?:^|\/)(?:config|lib|app)\/.*\.rb$/, 'hash'],
];

/** A name with its parts. PHP doubles its separator in strings. */
const name = /(?<![\w.\\:])[A-Za-z_]\w{0,99}(?:(?:\.|\\{1,2}|::)[A-Za-z_]\w{0,99}){0,12}/g;

/** Modules that services ask for, in code and settings: `Swoosh.Adapters.Postmark`, `anymail.backends.postmark.EmailBackend`. */
export const modules: FactReader = {
  name: 'modules that code and settings name',
  isCode: true,
  endings: ['ex', 'exs', 'py', 'php', 'rb'],
  takes: (path) => languages.some(([files]) => files.test(path)),
  read: ({ path, text }, asked) => {
    const wanted = wantedOf(asked);
    if (wanted.size === 0) return {};
    const style = languages.find(([files]) => files.test(path))?.[1] ?? 'hash';
    const code = withoutComments(text, style);
    const lineOf = linesOf(code);
    const found = new Map<string, Fact>();
    const use = /(?:^|\/)(?:config|settings)/.test(path) ? useOfSettings(path) : useOfCode(path);
    for (const match of matchesOf(code, name, 200_000)) {
      const signal = signalOf(match[0].replaceAll('\\\\', '\\'), wanted, isQuoted(code, match));
      if (signal !== null && !found.has(signal))
        found.set(signal, { kind: 'module', name: signal, file: path, line: lineOf(match.index), use });
    }
    return { facts: withoutMenus([...found.values()]) };
  },
};

/** The most adapters of one kind that an app uses. A file with more of them offers them all to whoever runs it. */
const mostOfOneKind = 3;

function withoutMenus(facts: readonly Fact[]): readonly Fact[] {
  const kinds = Map.groupBy(facts, ({ name: module }) => module.slice(0, module.lastIndexOf('.')));
  return facts.filter(({ name: module }) => (kinds.get(module.slice(0, module.lastIndexOf('.')))?.length ?? 0) <= mostOfOneKind);
}

const isQuoted = (code: string, { index, 0: text }: RegExpExecArray): boolean =>
  /["']/.test(code[index - 1] ?? '') && /["']/.test(code[index + text.length] ?? '');

/** The longest signal that a name is or begins with. One word alone counts only in quotes: it may be anything else in code. */
function signalOf(text: string, wanted: ReadonlySet<string>, isText: boolean): string | null {
  if (!/[.\\:]/.test(text)) return isText && wanted.has(text) ? text : null;
  for (
    let end = text.length;
    end > 0;
    end = Math.max(text.lastIndexOf('.', end - 1), text.lastIndexOf('\\', end - 1), text.lastIndexOf(':', end - 1))
  ) {
    const head = text.slice(0, end);
    if (wanted.has(head) && (end === text.length || /[.\\:]/.test(head) || isText)) return head;
    if (wanted.has(`${head}.*`)) return `${head}.*`;
    if (wanted.has(`${head}\\*`)) return `${head}\\*`;
  }
  return null;
}

const sets = new WeakMap<Asked, ReadonlySet<string>>();

function wantedOf(asked: Asked): ReadonlySet<string> {
  const known = sets.get(asked) ?? new Set(asked.modules.map((module) => module.replaceAll('\\\\', '\\')));
  sets.set(asked, known);
  return known;
}
