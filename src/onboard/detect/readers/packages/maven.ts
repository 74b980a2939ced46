import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { type XmlTag, xmlTags } from '../xml-tags.ts';

/** One `dependency`, `plugin` or `parent`, with what stands inside. */
interface Part {
  readonly kind: string;
  readonly above: string;
  readonly line: number;
  readonly inside: { readonly [name: string]: string };
}

/** A project of Maven. Versions that it keeps for its modules (`dependencyManagement`) are no use of a package. */
export const pomXml: FactReader = {
  name: 'pom.xml',
  takes: (path) => /(?:^|\/)(?:pom|[\w-]+\.pom)\.xml$|\.pom$/.test(path),
  endings: ['xml', 'pom'],
  read: (file) => {
    const tags = xmlTags(file.text);
    const listing = new Listing(file, 'maven');
    const own = (name: string): string => tags.find((tag) => tag.name === name && tag.above.join('/') === 'project')?.text ?? '';
    const parts = partsOf(tags);
    const parent = parts.find(({ kind, above }) => kind === 'parent' && above === 'project')?.inside;
    const group = own('groupId') || (parent?.groupId ?? '');
    const filled = fillerOf(tags, group, parent?.version ?? '');
    for (const { kind, above, line, inside } of parts) {
      const name = `${filled(inside.groupId ?? (kind === 'plugin' ? 'org.apache.maven.plugins' : ''))}:${filled(inside.artifactId ?? '')}`;
      if (above.includes('Management') || inside.artifactId === undefined) continue;
      if (kind === 'dependency' && /^(?:project\/(?:profiles\/profile\/)?dependencies)$/.test(above)) {
        listing.package(name, /^(?:test|provided|system)$/.test(inside.scope ?? '') ? 'develop' : 'runtime', line);
      }
      if (kind === 'plugin') listing.package(name, 'develop', line);
      // A module has the dependencies of its parent too.
      if (kind === 'parent') listing.reference(name);
    }
    for (const tag of tags)
      if (tag.name === 'module' && tag.above.at(-1) === 'modules') listing.member(tag.text.replace(/\/pom\.xml$/, ''));
    const isPublished = tags.some((tag) => tag.name === 'distributionManagement') ? true : null;
    return listing.reading({ name: own('artifactId') === '' ? null : `${group}:${own('artifactId')}`, isPublished });
  },
};

const kinds = new Set(['dependency', 'plugin', 'parent']);

function partsOf(tags: readonly XmlTag[]): readonly Part[] {
  const parts: Part[] = [];
  let inside: { [name: string]: string } = {};
  let depth = -1;
  for (const tag of tags) {
    if (kinds.has(tag.name)) {
      inside = Object.create(null);
      depth = tag.depth;
      parts.push({ kind: tag.name, above: tag.above.join('/'), line: tag.line, inside });
    } else if (tag.depth === depth + 1) inside[tag.name] = tag.text;
    else if (tag.depth <= depth) depth = -2;
  }
  return parts;
}

/** Fills `${project.groupId}` and the project's own properties in. */
function fillerOf(tags: readonly XmlTag[], group: string, version: string): (text: string) => string {
  const properties = new Map([
    ['project.groupId', group],
    ['pom.groupId', group],
    ['project.parent.groupId', group],
    ['project.version', version],
  ]);
  for (const { name, above, text } of tags) if (above.join('/') === 'project/properties') properties.set(name, text);
  return (text) => text.replace(/\$\{([\w.-]{1,100})\}/g, (whole, name: string) => properties.get(name) ?? whole);
}
