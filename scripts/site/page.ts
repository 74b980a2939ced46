import { readLink } from '../docs/links.ts';
import { type Picture, pictureOf } from './pictures.ts';
import { addressOf, base, filePlace, placeOf } from './places.ts';

export interface SitePage {
  readonly place: string;
  readonly text: string;
  readonly pictures: readonly Picture[];
  /** The files of the repository that the page links to. The site has them as text. */
  readonly files: readonly string[];
}

export interface Repository {
  isPage(path: string): boolean;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
}

/**
 * Turns a page of the repository into a page of the site. Its links lead to other pages of the site, and its diagrams become pictures. The
 * site has no folders. A link to a file that the repository does not have is an error.
 */
export function sitePage(path: string, place: string, markdown: string, repository: Repository): SitePage {
  const pictures: Picture[] = [];
  const files = new Set<string>();
  const name = place.replace(/\.md$/, '').replaceAll('/', '-');
  const link = (href: string): string | null => {
    const found = readLink(href, path);
    if (found.kind === 'external') return href;
    const anchor = found.anchor === '' ? '' : `#${found.anchor}`;
    for (const target of [found.path, `${found.path}/README.md`]) {
      const page = repository.isPage(target) ? placeOf(target) : null;
      if (page !== null) return `${addressOf(page)}${anchor}`;
    }
    if (!repository.isFile(found.path)) {
      if (repository.isFolder(found.path)) return null;
      throw new Error(`${path}: the link to ${href} leads nowhere.`);
    }
    files.add(found.path);
    return `${base}${filePlace(found.path)}`;
  };
  let heading = '';
  const parts = markdown.split(/^(```[\s\S]*?^```$)/m).map((part) => {
    const [, diagram] = /^```mermaid\n([\s\S]*?)\n```$/.exec(part) ?? [];
    if (diagram === undefined) {
      if (part.startsWith('```')) return part;
      heading =
        part
          .match(/^#+ (.*)$/gm)
          ?.at(-1)
          ?.replace(/^#+ /, '') ?? heading;
      return linked(part, link);
    }
    const picture = pictureOf(`${name}-${pictures.length + 1}`, diagram);
    pictures.push(picture);
    return pictureText(picture.name, heading);
  });
  return { place, text: parts.join(''), pictures, files: [...files] };
}

/** Rewrites links and pictures outside code, and a picture that is a link. A link to something that is not on the site becomes its text. */
const linked = (text: string, link: (href: string) => string | null): string =>
  text.replace(
    /(`+[^`]*`+)|(!?)\[((?:`[^`]*`|!\[[^\]]*\]\([^)\s]*\)|[^\]`])*)\]\(([^)\s]+)\)/g,
    (all: string, code?: string, picture?: string, label?: string, href?: string) => {
      if (code !== undefined || href === undefined || label === undefined) return all;
      const target = link(href);
      // VitePress puts the base before the address of a picture itself.
      if (picture === '!') return `![${label}](${target?.startsWith(base) ? `/${target.slice(base.length)}` : (target ?? href)})`;
      const shown = linked(label, link);
      if (target === null) return shown;
      // Files are not pages of the site, so its router must not look for them.
      const attributes = target.startsWith(`${base}source/`) ? '{target="_self"}' : '';
      return `[${shown}](${target})${attributes}`;
    },
  );

const pictureText = (name: string, heading: string): string => `<div class="picture">

![Diagram: ${heading.replaceAll(/[[\]`]/g, '')}](/pictures/${name}.svg){.light}
![Diagram: ${heading.replaceAll(/[[\]`]/g, '')}](/pictures/${name}-dark.svg){.dark}

[Open the diagram](${base}pictures/${name}.svg){target="_blank"}

</div>`;
