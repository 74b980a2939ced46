import type { Fact, FactReader, Reading, Schedule, VariableUse } from '../../facts.ts';
import { baseOf, isTestPath } from '../source.ts';
import { type YamlLine, yamlLines } from '../yaml-lines.ts';
import { imageName } from './image-name.ts';

/** Groups that every cluster has. */
const ownGroup =
  /^(?:v1|apps\/|batch\/|networking\.k8s\.io|rbac\.|policy\/|autoscaling\/|storage\.k8s\.io|apiextensions|admissionregistration|scheduling|coordination|kustomize\.config)/;

/** Objects of Kubernetes, templates of Helm among them. */
export const kubernetes: FactReader = {
  name: 'Kubernetes and Helm',
  isCode: true,
  takes: (path) =>
    /\.ya?ml(?:\.(?:tpl|erb|j2|gotmpl))?$/.test(path) &&
    !/^\.github\/|(?:^|\/)(?:docker-compose|compose|pnpm-lock|config\/locales\/)/.test(path),
  endings: ['yaml', 'yml', 'tpl', 'erb', 'j2', 'gotmpl'],
  read: ({ path, text }) => {
    if (/^Chart\.ya?ml$/.test(baseOf(path))) return chart(path, text);
    const isValues = /^values[\w.-]*\.ya?ml$/.test(baseOf(path));
    if (!isValues && !(/^apiVersion:/m.test(text) && /^kind:/m.test(text))) return {};
    return objectsIn(path, yamlLines(text), isTestPath(path) ? 'develop' : 'infrastructure');
  },
};

function objectsIn(file: string, lines: readonly YamlLine[], use: Fact['use']): Reading {
  const facts: Fact[] = [];
  const variables: VariableUse[] = [];
  const schedules: Schedule[] = [];
  let version = '';
  let variable: { readonly name: string; readonly line: number } | null = null;
  for (const { path, value, line } of lines) {
    const key = path.at(-1) ?? '';
    if (path.length === 1 && key === 'apiVersion') version = value;
    if (path.length === 1 && key === 'kind') {
      const [group = ''] = version.split('/');
      if (version !== '' && !ownGroup.test(version) && /^[\w.-]+$/.test(group))
        facts.push({ kind: 'resource', name: `${group}/${value}`, file, line, use });
      if (value === 'CronJob') schedules.push({ file, line, by: 'kubernetes' });
    }
    if ((key === 'image' || (key === 'repository' && path.at(-2) === 'image')) && imageName(value) !== null) {
      facts.push({ kind: 'image', name: imageName(value) ?? '', file, line, use });
    }
    if (key === 'name' && path.at(-2) === '-' && /^env$/i.test(path.at(-3) ?? '') && /^[A-Z][A-Z0-9_]{1,99}$/.test(value)) {
      variable = { name: value, line };
      variables.push({ ...variable, file, where: 'infrastructure', use, hosts: [], schemes: [] });
    }
    // The secret that fills the variable above.
    if (key === 'name' && path.at(-2) === 'secretKeyRef' && variable && /^[\w.-]{1,200}$/.test(value)) {
      variables.push({ ...variable, file, where: 'vault', use, hosts: [], schemes: [], keptIn: 'kubernetes', words: [value] });
    }
  }
  return { facts, variables, schedules };
}

/** Charts of a repository of charts: `bitnami/postgresql`. */
function chart(file: string, text: string): Reading {
  const facts: Fact[] = [];
  let name = '';
  for (const { path, value, line } of yamlLines(text)) {
    if (path[0] !== 'dependencies' || path[1] !== '-') continue;
    if (path[2] === 'name') name = value;
    const [, owner] =
      /(?:charts\.([\w-]{1,60})\.com|registry-1\.docker\.io\/(\w{1,60})charts|\/\/([\w-]{1,60})\.github\.io)/
        .exec(value)
        ?.filter(Boolean) ?? [];
    if (path[2] === 'repository' && owner !== undefined && /^[\w.-]{1,100}$/.test(name)) {
      facts.push({ kind: 'image', name: `${owner}/${name}`, file, line, use: 'infrastructure' });
    }
  }
  return { facts };
}
