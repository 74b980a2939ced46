import type { FactReader } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, linesOf, withoutComments } from '../source.ts';

const developGroup = /:?\b(?:development|test|ci|lint|docs?|tools?)\b/;
const otherGroup = /:?\b(?:default|production|staging|assets|web|worker)\b/;

/** Bundler's list. Ruby is not run: groups are read from their blocks and options. */
export const gemfile: FactReader = {
  name: 'Gemfile',
  takes: (path) => /^(?:Gemfile|gems\.rb)$/.test(baseOf(path)) || /(?:^|\/)gemfiles\/[\w.-]+\.(?:rb|gemfile)$|\.gemfile$/.test(path),
  endings: ['gemfile', 'rb'],
  read: (file) => {
    const listing = new Listing(file, 'rubygems');
    const folder = folderOf(file.path);
    const blocks: boolean[] = [];
    for (const { text, line } of statements(withoutComments(file.text, 'hash'))) {
      if (/^end\b/.test(text)) blocks.pop();
      const [, group] = /^group\b[ (]*(.*?)\)?\s*do\b/.exec(text) ?? [];
      if (group !== undefined) blocks.push(isDevelop(group));
      else if (/\bdo\s*(?:\|[^|]*\|)?\s*$|^(?:if|unless|case|begin|def|while)\b/.test(text)) blocks.push(false);
      const [, name, options = ''] = /^gem[ (]+["']([\w.-]+)["'](.*)$/.exec(text) ?? [];
      if (name !== undefined) {
        const [, own] = /\bgroups?(?::|\s*=>)\s*(\[[^\]]*\]|:\w+|["']\w+["'])/.exec(options) ?? [];
        listing.package(name, blocks.includes(true) || (own !== undefined && isDevelop(own)) ? 'develop' : 'runtime', line);
        const [, place] = /\bpath(?::|\s*=>)\s*["']([^"']{1,300})["']/.exec(options) ?? [];
        if (place !== undefined) listing.reference(folderAt(folder, place));
      }
      const [, included] = /^eval_gemfile[ (]+["']([^"']{1,300})["']/.exec(text) ?? [];
      if (included !== undefined) listing.reference(folderAt(folder, folderOf(included)));
    }
    return listing.reading();
  },
};

/** A group for development only. One that names production too is none. */
const isDevelop = (groups: string): boolean => developGroup.test(groups) && !otherGroup.test(groups);

/** Statements without their line breaks behind commas. */
function* statements(text: string): Generator<{ readonly text: string; readonly line: number }> {
  let [kept, start] = ['', 0];
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.slice(0, 2000).trim();
    if (kept === '') start = i + 1;
    if (line.endsWith(',') && kept.length < 2000) {
      kept += `${line} `;
      continue;
    }
    if (kept !== '' || line !== '') yield { text: kept + line, line: start };
    kept = '';
  }
}

/** A gem's own manifest. It is made to be published, unless it says that it may not be pushed. */
export const gemspec: FactReader = {
  name: 'gemspec',
  takes: (path) => path.endsWith('.gemspec'),
  endings: ['gemspec'],
  read: (file) => {
    const listing = new Listing(file, 'rubygems');
    const text = withoutComments(file.text, 'hash');
    const lineOf = linesOf(text);
    for (const match of text.matchAll(/\.add_(development_|runtime_)?dependency[ \t(]+["']([\w.-]+)["']/g)) {
      listing.package(match[2] ?? '', match[1] === 'development_' ? 'develop' : 'runtime', lineOf(match.index));
    }
    const [, name = null] = /\.name[ \t]*=[ \t]*["']([\w.-]+)["']/.exec(text) ?? [];
    return listing.reading({
      name,
      isPublished: !/\ballowed_push_host["'\]]*[ \t]*=[ \t]*["'](?:none|http:\/\/mygemserver|TODO|)["'\s]/i.test(text),
      hasProgram: /\.executables\b/.test(text),
    });
  },
};
