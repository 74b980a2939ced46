import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, linesOf, withoutComments } from '../source.ts';

/**
 * sbt and Mill. `%%` adds the version of Scala to the artifact; the signal names it without. A constant may stand for the version.
 */
export const sbt: FactReader = {
  name: 'build.sbt and Mill',
  takes: (path) => /\.sbt$|(?:^|\/)project\/\w+\.scala$|(?:^|\/)build\.(?:sc|mill)$/.test(path),
  endings: ['sbt', 'scala', 'sc', 'mill'],
  read: (file) => {
    const text = withoutComments(file.text, 'slashes');
    const listing = new Listing(file, 'maven');
    const lineOf = linesOf(text);
    const isPlugins = /(?:^|\/)project\/[\w.-]+\.sbt$/.test(file.path);
    for (const match of text.matchAll(/"([\w.-]{1,200})"\s*%{1,3}\s*"([\w.-]{1,200})"([^\n,)]{0,200})/g)) {
      const isTest = /%\s*(?:"?(?:test|it|provided)\b|Test|IntegrationTest|Provided)/i.test(match[3] ?? '');
      listing.package(`${match[1]}:${match[2]}`, isPlugins || isTest ? 'develop' : 'runtime', lineOf(match.index));
    }
    for (const match of text.matchAll(/\b(?:ivy|mvn)"([\w.-]{1,200})::?([\w.-]{1,200}):/g)) {
      listing.package(`${match[1]}:${match[2]}`, 'runtime', lineOf(match.index));
    }
    return listing.reading({ name: /^[ \t]*(?:ThisBuild[ \t]*\/[ \t]*)?name[ \t]*:=[ \t]*"([\w .-]{1,100})"/m.exec(text)?.[1] ?? null });
  },
};

/** Leiningen and the Clojure command line. A name without a group is its own group. */
export const clojure: FactReader = {
  name: 'project.clj and deps.edn',
  takes: (path) => /^(?:project\.clj|deps\.edn|bb\.edn)$/.test(baseOf(path)),
  endings: ['clj', 'edn'],
  read: (file) => {
    const text = withoutComments(file.text, 'semicolon');
    const listing = new Listing(file, 'maven');
    const lineOf = linesOf(text);
    const develop = text.search(file.path.endsWith('.clj') ? /:profiles\b/ : /:aliases\b/);
    const pattern =
      /\[\s*([A-Za-z][\w.-]{0,200}(?:\/[\w.-]{1,200})?)\s+"|(?<![\w/.-])([A-Za-z][\w.-]{0,200}\/[\w.-]{1,200})\s*\{\s*:(?:mvn|git|local)\//g;
    for (const match of text.matchAll(pattern)) {
      const [group = '', artifact = group] = (match[1] ?? match[2] ?? '').split('/');
      listing.package(`${group}:${artifact}`, develop >= 0 && match.index > develop ? 'develop' : 'runtime', lineOf(match.index));
    }
    return listing.reading();
  },
};
