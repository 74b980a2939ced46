import type { Fact, FactReader, HostEvidence, Reading, Script, SourceFile, Start } from '../facts.ts';
import { baseOf, folderOf } from '../paths.ts';
import { awsServiceOf } from './aws-commands.ts';
import { hostCommand } from './host-commands.ts';
import { withoutTag } from './host-other.ts';
import { joined, startedIn } from './shell.ts';
import { saidBy, startOf } from './starts.ts';

/** Folders of scripts. A script in them starts at the folder above. */
const folders = /(?:(?:^|\/)(?:bin|scripts?|tools?|ci|\.ci|deploy|deployment|ops|\.github|\.buildkite))+$/;

/** Most files of a repository are code, and its endings are told apart faster than names. */
const isCodeFile = (path: string): boolean => path.endsWith('.ts') || path.endsWith('.js') || path.endsWith('.tsx') || path.endsWith('.py');

const isScript = (path: string): boolean =>
  !isCodeFile(path) &&
  /(?:^|\/)(?:GNUm|m|M)akefile$|(?:^|\/)\.?[Jj]ustfile$|(?:^|\/)Taskfile[\w.-]*\.ya?ml$|(?:^|\/)mise\.toml$|(?:^|\/)[\w.-]*(?:deploy|preview|release|publish|ship)[\w-]*(?:\.(?:sh|bash|zsh))?$|(?:^|\/)Jenkinsfile$|(?:^|\/)(?:build|start|entrypoint|release|predeploy|postdeploy)\.sh$/.test(
    path,
  ) &&
  !/\.(?:md|txt|json)$/.test(path);

/** The app's image starts with such a script. */
const isOfApp = /^(?:docker-)?(?:entrypoint|start|run|boot)[\w-]*\.sh$/;

const isShell = (path: string): boolean => /\.(?:sh|bash|zsh)$/.test(path);

/** Scripts for the work on a repository: a Makefile, its likes, and scripts whose name speaks of a deployment. */
const scripts: FactReader = {
  name: 'scripts',
  names: (name) => isScript(name) || isShell(name),
  takes: (path) => isScript(path) || isShell(path),
  read: (file) => {
    const { path, text } = file;
    if (text.includes('\0')) return {};
    const base = baseOf(path);
    if (!isScript(path)) return { facts: isOfApp.test(base) ? servicesIn(path, text) : [], scripts: scriptsIn(path, text) };
    const plain = /makefile$/i.test(base) ? recipesOf(text) : base === 'Jenkinsfile' ? shellOf(text) : text;
    const isCi = base === 'Jenkinsfile';
    const folder = folderOf(path).replace(folders, '');
    const facts = new Map<string, Fact>();
    const hosts: HostEvidence[] = [];
    const starts: Start[] = [];
    for (const started of startedIn(plain)) {
      facts.set(started.program, { kind: 'command', name: started.program, file: path, line: started.line, use: isCi ? 'ci' : 'develop' });
      const service = awsServiceOf(started);
      if (service !== null && isOfApp.test(base))
        facts.set(service, { kind: 'module', name: service, file: path, line: started.line, use: 'runtime' });
      const start = isCi ? startOf(started, { file: path, folder: '', by: 'deploy', variables: [] }) : null;
      if (start) starts.push(start);
      const command = hostCommand(started);
      if (!command) continue;
      const { isProduction: _, isWeak, folder: inside, ...said } = command;
      hosts.push({
        ...said,
        folder: (inside === null ? null : joined(folder, inside)) ?? folder,
        file: path,
        by: isWeak ? 'word' : isCi ? 'deploy' : 'script',
      });
    }
    return { facts: [...facts.values()], hosts, ...(isCi ? { starts } : { scripts: scriptsIn(path, text) }) };
  },
};

const servicesIn = (file: string, text: string): readonly Fact[] =>
  startedIn(text).flatMap((started): readonly Fact[] => {
    const service = awsServiceOf(started);
    return service === null ? [] : [{ kind: 'module', name: service, file, line: started.line, use: 'runtime' }];
  });

/** The script of a file, or one for each target of a make file. Others start a target by its name, and it starts those before it. */
function scriptsIn(file: string, text: string): readonly Script[] {
  if (text.includes('\0')) return [];
  if (!/(?:makefile|justfile)$/i.test(file)) return [{ file, target: null, ...saidBy(text, file) }];
  return targetsIn(text).map(({ target, before, recipe }) => {
    const { hosts, starts } = saidBy(recipe, file);
    const first: Start = { file, what: 'make', names: before, folder: '', filter: null, by: 'script', variables: [] };
    return { file, target, hosts, starts: before.length > 0 ? [first, ...starts] : starts };
  });
}

interface Target {
  readonly target: string;
  readonly before: readonly string[];
  readonly recipe: string;
}

function targetsIn(text: string): readonly Target[] {
  const found: { target: string; before: string[]; recipe: string }[] = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    if (/^[ \t]/.test(line)) {
      const last = found.at(-1);
      if (last) last.recipe += `${line.replace(/^[ \t]+[@-]*/, '').replace(/\$\((\w+)\)/g, '${$1}')}\n`;
    } else {
      const [, target, before = ''] = /^@?([A-Za-z][\w./-]*)(?:[ \t][^:=\n]*)?:(?![=:])([^\n#]*)/.exec(line) ?? [];
      if (target !== undefined)
        found.push({ target, before: before.split(/\s+/).filter((word) => /^[A-Za-z][\w./-]*$/.test(word)), recipe: '' });
    }
  }
  return found;
}

/** The recipes of a Makefile: lines behind a tab, without the signs that make them quiet. `$(NAME)` becomes `${NAME}`. */
const recipesOf = (text: string): string =>
  text
    .replace(/^(?!\t).*$/gm, '')
    .replace(/^\t[@-]*/gm, '')
    .replace(/\$\((\w+)\)/g, '${$1}');

/** The texts that a pipeline of Jenkins gives to a shell. */
const shellOf = (text: string): string =>
  text.replace(/\bsh\s*\(?\s*(?:script:\s*)?("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')|[^\n]/g, (_, quoted: string | undefined) =>
    quoted === undefined ? '' : quoted.replace(/^["']{1,3}|["']{1,3}$/g, ''),
  );

/** A Dockerfile: what its image is made from, and the arguments of its build. */
const dockerfile: FactReader = {
  name: 'dockerfile',
  names: (name) => name.includes('ile'),
  takes: (path) =>
    path.includes('ile') && /(?:^|\/)(?:[\w-]+\.)?(?:Docker|Container)file(?:\.[\w.-]+)?$/.test(path) && !path.endsWith('.dockerignore'),
  read: ({ path, text }: SourceFile): Reading => {
    const lines = text.split('\n');
    const stages = new Set<string>();
    const facts: Fact[] = [];
    const variables = new Map<string, number>();
    for (const [i, line] of lines.entries()) {
      const from = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line);
      if (from) {
        const image = from[1] ?? '';
        if (!stages.has(image) && !image.includes('$') && image !== 'scratch')
          facts.push({ kind: 'image', name: withoutTag(image), file: path, line: i + 1, use: 'runtime' });
        stages.add(from[2] ?? '');
      }
      const set = /^\s*(?:ARG|ENV)\s+([A-Z][A-Z0-9_]*)/.exec(line)?.[1];
      if (set !== undefined && !variables.has(set)) variables.set(set, i + 1);
      const command = /^\s*(?:CMD|ENTRYPOINT|RUN)\s+(.+)$/.exec(line)?.[1];
      if (command !== undefined) facts.push(...programsIn(command, { path, line: i + 1 }));
    }
    return {
      facts,
      variables: [...variables].map(([name, line]) => ({ name, file: path, line, where: 'host', use: 'runtime', hosts: [], schemes: [] })),
    };
  },
};

function programsIn(command: string, { path, line }: { readonly path: string; readonly line: number }): readonly Fact[] {
  const text = command.startsWith('[') ? fromList(command) : command;
  return startedIn(text).flatMap((started): readonly Fact[] => {
    const service = awsServiceOf(started);
    const own = { file: path, line, use: 'runtime' } as const;
    return [
      { ...own, kind: 'command', name: started.program },
      ...(service === null ? [] : [{ ...own, kind: 'module' as const, name: service }]),
    ];
  });
}

/** `["node", "server.js"]`. */
function fromList(text: string): string {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((word) => typeof word === 'string').join(' ') : '';
  } catch {
    return '';
  }
}

export const scriptReaders: readonly FactReader[] = [scripts, dockerfile];
