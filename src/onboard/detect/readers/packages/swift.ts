import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, linesOf, withoutComments } from '../source.ts';

/** `https://github.com/vapor/fluent-postgres-driver.git` and `git@github.com:vapor/…` are `vapor/fluent-postgres-driver`. */
const nameOf = (address: string): string => {
  const parts = address.replace(/(?:\.git)?\/?$/, '').split(/[/:]/);
  return parts.length < 2 ? '' : parts.slice(-2).join('/');
};

/** Packages of Swift have no registry: they are named by their repository, `owner/name`. */
export const packageSwift: FactReader = {
  name: 'Package.swift and projects of Xcode',
  takes: (path) => /(?:^|\/)Package\.swift$|\.xcodeproj\/project\.pbxproj$/.test(path),
  endings: ['swift', 'pbxproj'],
  read: (file) => {
    const isXcode = file.path.endsWith('.pbxproj');
    const text = isXcode ? file.text : withoutComments(file.text, 'slashes');
    const listing = new Listing(file, 'swift');
    const lineOf = linesOf(text);
    const pattern = isXcode
      ? /\brepositoryURL\s*=\s*"([^"\s]{1,300})"/g
      : /\.package\s*\(\s*(?:name:\s*"[^"\n]{1,100}",\s*)?url:\s*"([^"\s]{1,300})"/g;
    for (const match of text.matchAll(pattern)) listing.package(nameOf(match[1] ?? ''), 'runtime', lineOf(match.index));
    for (const [, place = ''] of text.matchAll(/\.package\s*\(\s*(?:name:\s*"[^"\n]{1,100}",\s*)?path:\s*"([^"\s]{1,300})"/g)) {
      listing.reference(folderAt(folderOf(file.path), place));
    }
    const folder = isXcode ? folderOf(folderOf(file.path)) : undefined;
    return listing.reading({
      name: isXcode ? null : (/\bname:\s*"([\w .-]{1,100})"/.exec(text)?.[1] ?? null),
      ...(folder !== undefined && { folder }),
    });
  },
};

/** CocoaPods: `pod 'Sentry'`. Subspecs belong to their pod. */
export const podfile: FactReader = {
  name: 'Podfile',
  takes: (path) => baseOf(path) === 'Podfile',
  endings: ['podfile'],
  read: (file) => {
    const listing = new Listing(file, 'swift');
    const text = withoutComments(file.text, 'hash');
    const lineOf = linesOf(text);
    for (const match of text.matchAll(/^[ \t]*pod[ \t(]+["']([\w.+-]{1,200})(?:\/[\w.+/-]{1,200})?["']/gm)) {
      listing.package(match[1] ?? '', 'runtime', lineOf(match.index));
    }
    return listing.reading();
  },
};
