import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, jsonNames, linesOfNames } from '../source.ts';
import { jsonOf, keysOf, mapOf, textOf, textsOf } from './json.ts';

export const composerJson: FactReader = {
  name: 'composer.json',
  takes: (path) => baseOf(path) === 'composer.json',
  endings: ['json'],
  read: async (file) => {
    const { root, problem } = await jsonOf(file.text);
    const listing = new Listing(file, 'composer');
    const lineOf = linesOfNames(file.text, jsonNames);
    const add = (names: readonly string[], use: 'runtime' | 'develop'): void => {
      // Extensions tell of drivers: `ext-pgsql`. `php` is the language.
      for (const name of names) if (/\/|^ext-/.test(name)) listing.package(name.toLowerCase(), use, lineOf(name));
    };
    add(keysOf(root.require), 'runtime');
    add(keysOf(root['require-dev']), 'develop');
    const repositories: readonly unknown[] = Array.isArray(root.repositories) ? root.repositories : Object.values(mapOf(root.repositories));
    for (const repository of repositories.map(mapOf)) {
      const place = repository.type === 'path' ? textOf(repository.url) : null;
      // A pattern names many folders. Composer finds their packages, so they are members.
      if (place?.includes('*')) listing.member(place);
      else if (place) listing.reference(folderAt(folderOf(file.path), place));
    }
    for (const [name, script] of Object.entries(mapOf(root.scripts))) listing.script(name, textOf(script) ?? textsOf(script).join(' && '));
    const type = textOf(root.type);
    return listing.reading({
      name: textOf(root.name),
      isPublished:
        type === 'project'
          ? false
          : type !== null && /^(?:library|symfony-bundle|wordpress-plugin|composer-plugin)$/.test(type)
            ? true
            : null,
      hasProgram: root.bin !== undefined,
      ...(problem !== undefined && { problem }),
    });
  },
};
