import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf } from '../source.ts';
import { yamlLines } from '../yaml-lines.ts';

const uses: { readonly [list: string]: 'runtime' | 'develop' } = { dependencies: 'runtime', dev_dependencies: 'develop' };

/** A package of Dart and Flutter. Apps say `publish_to: none`. */
export const pubspec: FactReader = {
  name: 'pubspec.yaml',
  takes: (path) => baseOf(path) === 'pubspec.yaml',
  endings: ['yaml'],
  read: (file) => {
    const listing = new Listing(file, 'pub');
    let name: string | null = null;
    let isPublished: boolean | null = null;
    for (const { path, value, line } of yamlLines(file.text)) {
      const [top = '', second = '', third] = path;
      const use = uses[top];
      if (use && path.length === 2) listing.package(second, use, line);
      if (use && third === 'path') listing.reference(folderAt(folderOf(file.path), value));
      if ((top === 'workspace' || (top === 'melos' && second === 'packages')) && path.at(-1) === '-') listing.member(value);
      if (path.length === 1 && top === 'name') name = value || null;
      if (path.length === 1 && top === 'publish_to') isPublished = value !== 'none';
      if (path.length === 1 && (top === 'repository' || top === 'homepage' || top === 'topics')) isPublished ??= true;
    }
    return listing.reading({ name, isPublished, hasProgram: /^executables:/m.test(file.text) });
  },
};

export const melos: FactReader = {
  name: 'melos.yaml',
  takes: (path) => baseOf(path) === 'melos.yaml',
  endings: ['yaml'],
  read: (file) => {
    const listing = new Listing(file, 'pub');
    for (const { path, value } of yamlLines(file.text)) if (path[0] === 'packages' && path[1] === '-') listing.member(value);
    return listing.reading();
  },
};
