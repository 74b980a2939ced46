import type { Fact, FactReader, VariableUse } from '../../facts.ts';
import { baseOf, linesOf, useOfSettings, withoutComments } from '../source.ts';
import { pairsOfYaml } from './jvm.ts';
import { variablesIn } from './values.ts';

/** The adapter that a block of these files names. Its first key is an environment or a name of the app's own. */
const adapters: { readonly [file: string]: { readonly key: RegExp; readonly as: string } } = {
  'storage.yml': { key: /^[\w-]+\.service$/, as: 'active_storage' },
  'cable.yml': { key: /^production\.adapter$/, as: 'action_cable' },
  'database.yml': { key: /^(?:default|production|primary)(?:\.\w+)?\.adapter$/, as: 'active_record' },
  'queue.yml': { key: /^production\.adapter$/, as: 'active_job' },
};

/**
 * The settings in `config/*.yml`. Adapters are facts: `active_storage.s3`, `action_cable.redis`, `active_record.postgresql`. Other keys
 * depend on the app.
 */
export const railsYaml: FactReader = {
  name: 'config/*.yml of Rails',
  takes: (path) => /(?:^|\/)config\/[\w-]+\.ya?ml(?:\.erb)?$/.test(path),
  endings: ['yaml', 'yml', 'erb'],
  read: ({ path, text }, asked) => {
    const file = baseOf(path)
      .replace(/\.erb$/, '')
      .replace(/\.yaml$/, '.yml');
    const adapter = adapters[file];
    const facts: Fact[] = [];
    const variables: VariableUse[] = [];
    for (const { key, value, line } of pairsOfYaml(text)) {
      const use = /^(?:test|development|local)(?:\.|$)/.test(key) ? 'local' : useOfSettings(path);
      const dotted = `${file.replace('.yml', '')}.${key}`;
      for (const one of variablesIn({ key: dotted, value, file: path, line, use }, asked)) variables.push(one);
      if (adapter?.key.test(key) && isName(value))
        facts.push({ kind: 'setting', name: `${adapter.as}.${value.toLowerCase()}`, file: path, line, use });
    }
    return { facts, variables };
  },
};

/** The name of an adapter. It has no sign and next to no digit, so it is no value of a variable. */
const isName = (text: string): boolean => /^[A-Za-z][A-Za-z_]{0,30}\d?$/.test(text);

/** Adapters of the framework and of gems: `config.action_mailer.delivery_method = :postmark` is `action_mailer.delivery_method.postmark`. */
export const railsEnvironments: FactReader = {
  name: 'environments of Rails',
  takes: (path) => /(?:^|\/)config\/(?:application|environments\/\w+|initializers\/[\w-]+)\.rb$/.test(path),
  endings: ['rb'],
  read: ({ path, text }) => {
    const code = withoutComments(text, 'hash');
    const lineOf = linesOf(code);
    const use = useOfSettings(path);
    const pattern =
      /(?<![\w.])(?:config\.)?((?:action_mailer\.(?:delivery_method|\w{1,30}_settings)|active_job\.queue_adapter|active_storage\.service|cache_store|session_store|active_record\.\w{1,30}|delivery_method))\s*(?:=|\()?\s*:([a-z]\w{0,40})/g;
    const facts = [...code.matchAll(pattern)].map(
      (match): Fact => ({ kind: 'setting', name: `${match[1]}.${match[2]}`, file: path, line: lineOf(match.index), use }),
    );
    return { facts: facts.slice(0, 1000) };
  },
};
