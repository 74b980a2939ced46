import type { Asked, Fact, FactReader, Reading, SourceFile, VariableUse } from '../../facts.ts';
import { baseOf, useOfSettings } from '../source.ts';
import { yamlLines } from '../yaml-lines.ts';
import { variablesIn } from './values.ts';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

/** Settings of Spring Boot, Quarkus and Micronaut. Keys are facts; of a value only the variables are kept. */
export const jvmSettings: FactReader = {
  name: 'settings of Spring, Quarkus and Micronaut',
  takes: (path) => /^(?:application|bootstrap)(?:[-_][\w-]+)?\.(?:ya?ml|properties|toml)$/.test(baseOf(path)),
  endings: ['yaml', 'yml', 'properties', 'toml'],
  read: (file, asked) => readPairs(file, asked, /\.ya?ml$/.test(file.path) ? pairsOfYaml(file.text) : pairsOfProperties(file.text)),
};

/** Settings of Play and Akka: `db.default.url = ${?DATABASE_URL}`. */
export const hocon: FactReader = {
  name: 'HOCON',
  takes: (path) => /(?:^|\/)(?:conf|resources)\/(?:[\w.-]+\/)?(?:application|reference|production|prod)[\w.-]*\.conf$/.test(path),
  endings: ['conf'],
  read: (file, asked) => readPairs(file, asked, pairsOfProperties(file.text)),
};

/** Keys of every app, which say nothing of a service. */
const plain =
  /^(?:server|logging|management|info|debug|spring\.(?:application|profiles|main|config|mvc|jackson|servlet|messages|thymeleaf|jpa|web))(?:\.|$)/;

export function readPairs(file: SourceFile, asked: Asked, pairs: readonly Pair[]): Reading {
  const use = useOfSettings(file.path);
  const facts: Fact[] = [];
  const variables: VariableUse[] = [];
  const seen = new Set<string>();
  for (const { key, value, line } of pairs) {
    for (const one of variablesIn({ key, value, file: file.path, line, use }, asked)) variables.push(one);
    if (plain.test(key) || seen.has(key) || key.length > 200) continue;
    seen.add(key);
    facts.push({ kind: 'setting', name: key, file: file.path, line, use });
  }
  return { facts, variables };
}

/** Keys with dots. An item of a list has the key of its list. */
export const pairsOfYaml = (text: string): readonly Pair[] =>
  yamlLines(text).map(({ path, value, line }) => ({ key: path.filter((part) => part !== '-').join('.'), value, line }));

/** `key = value` and `key: value`, in sections as well. */
function pairsOfProperties(text: string): readonly Pair[] {
  let section = '';
  return text.split('\n').flatMap((raw, i): readonly Pair[] => {
    const line = raw.slice(0, 4000).trim();
    const [, name] = /^\[{1,2}([\w.-]{1,200})\]{1,2}$/.exec(line) ?? [];
    if (name !== undefined) section = `${name}.`;
    const [, key, value = ''] = /^"?([\w.%[\]-]{1,200})"?[ \t]*[=:][ \t]*(.*)$/.exec(line) ?? [];
    // Profiles of Quarkus: `%prod.quarkus.datasource.jdbc.url`.
    return key === undefined ? [] : [{ key: section + key.replace(/^%[\w-]+\./, ''), value, line: i + 1 }];
  });
}
