import type { Fact, FactReader, Use, VariableUse } from '../../facts.ts';
import { baseOf } from '../source.ts';
import { yamlLines } from '../yaml-lines.ts';
import { imageName } from './image-name.ts';

/** A compose file is for the machine of a developer, unless its name says that it runs in production. */
const useOf = (path: string): Use => (/(?:^|[.\-_/])(?:prod|production|deploy|live|swarm)(?=[.\-_/])/i.test(path) ? 'runtime' : 'local');

/** Services of compose files and images of development containers. */
export const compose: FactReader = {
  name: 'compose files',
  takes: (path) => /^(?:docker-|podman-)?(?:compose|stack)[\w.-]*\.ya?ml$/.test(baseOf(path)),
  endings: ['yaml', 'yml'],
  read: ({ path: file, text }) => {
    const use = useOf(file);
    const facts: Fact[] = [];
    const variables = new Map<string, VariableUse>();
    const add = (name: string, line: number): void => {
      if (!/^[A-Z][A-Z0-9_]{1,99}$/.test(name) || variables.has(name)) return;
      variables.set(name, { name, file, line, where: 'compose', use, hosts: [], schemes: [] });
    };
    for (const { path, value, line } of yamlLines(text)) {
      const [top, , key, item] = path;
      if (top !== 'services' && top !== 'x-environment') continue;
      const image = key === 'image' ? imageName(value) : null;
      if (image !== null) facts.push({ kind: 'image', name: image, file, line, use });
      if (key === 'environment' && item !== undefined) add(item === '-' ? (value.split('=', 1)[0] ?? '') : item, line);
      // `${NAME}` and `${NAME:-default}` come from the machine that starts the services.
      for (const [, name = ''] of value.matchAll(/\$\{([A-Z][A-Z0-9_]{0,99})(?=[:}?-])/g)) add(name, line);
    }
    return { facts, variables: [...variables.values()] };
  },
};

/** `.devcontainer/devcontainer.json` names an image and features. */
export const devContainer: FactReader = {
  name: 'development containers',
  takes: (path) => /(?:^|\/)\.?devcontainer\.json$/.test(path),
  endings: ['json'],
  read: ({ path: file, text }) => {
    const [whole, image = ''] = /"image"\s*:\s*"([^"\n]{1,300})"/.exec(text) ?? [];
    const name = imageName(image);
    if (whole === undefined || name === null) return {};
    return { facts: [{ kind: 'image', name, file, line: 0, use: 'local' }] };
  },
};
