import type { FactReader, SourceFile } from '../../facts.ts';
import { Listing } from '../listing.ts';
import { baseOf, folderAt, folderOf, linesOf, matchesOf, withoutComments } from '../source.ts';

/** The name of a configuration at the begin of a dependency. */
const configuration =
  /(?<![\w.$-])(\w{0,60}(?:[iI]mplementation|[aA]pi|[cC]ompile(?:Only|OnlyApi)?|[rR]untime(?:Only)?|[kK]apt|[kK]sp\w{0,20}|[aA]nnotationProcessor|[dD]evelopmentOnly|providedRuntime|providedCompile|classpath|detektPlugins|errorprone|minecraft))[ \t]*(?=["'(l:pgs]|\n?\s*\()/g;

const develop =
  /^(?:test|androidTest|integrationTest|functionalTest|e2e|jmh|benchmark|debug)|Test(?:Implementation|Api|RuntimeOnly|CompileOnly)$|[kK]apt|[kK]sp|[aA]nnotationProcessor|[cC]ompileOnly|[dD]evelopmentOnly|classpath|detektPlugins|errorprone|provided/;

/** Strings, aliases of catalogs (`libs.stripe.java`, `Deps.stripe`), projects, and parts of a map (`group: 'a', name: 'b'`). */
const argument =
  /["']([\w.-]{1,200}:[\w.-]{1,200})(?::[^"'\n]{0,200})?["']|(?<![\w.])project\s*\(\s*(?:path\s*[:=]\s*)?["'](:[\w:.-]{1,200})["']|(?<![\w.])projects\.([\w.]{1,200})|(?<![\w."'])([A-Za-z]\w{0,60}(?:\.\w{1,60}){1,8})(?![\w("'])|\bgroup\s*[:=]\s*["']([\w.-]{1,200})["']\s*,\s*name\s*[:=]\s*["']([\w.-]{1,200})["']/g;

/**
 * Plugins: `id("com.android.application")`, `apply plugin: "war"`, `alias(libs.plugins.androidApplication)`, `id(libs.plugins.ktor.get().pluginId)`,
 * `kotlin("jvm")`, and `application` alone on its line.
 */
const plugins =
  /(?:^|[\s{;])(?:id[ \t(]+|apply[ \t(]+plugin[ \t]*[:=][ \t]*)["']([\w.-]{1,200})["']|(?<![\w.])(?:alias|id)[ \t]*\([ \t]*([A-Za-z]\w{0,60}\.plugins\.[\w.]{1,200})|(?<![\w.])kotlin[ \t]*\([ \t]*["']([\w.-]{1,60})["'][ \t]*\)|^[ \t]*`?(application|war)`?[ \t]*$/gm;

/** `libs.plugins.ktor.get().pluginId` asks for the name of the plugin. */
const aliasOf = (text: string): string => text.replace(/\.(?:get|pluginId)$/, '');

/** A build of Gradle in Groovy or Kotlin. It is read as text, because nothing of a repository is run. */
export const buildGradle: FactReader = {
  name: 'build.gradle',
  takes: (path) => /\.gradle(?:\.kts)?$/.test(path) && !/^(?:settings|init)\.gradle/.test(baseOf(path)),
  endings: ['gradle', 'kts'],
  read: (file) => {
    const text = withoutComments(file.text, 'slashes');
    const listing = new Listing(file, 'maven');
    const lineOf = linesOf(text);
    for (const match of matchesOf(text, configuration)) {
      const start = match.index + match[0].length;
      const use = develop.test(match[1] ?? '') ? 'develop' : 'runtime';
      addArguments(listing, argumentsAt(text, start), use, lineOf(match.index));
    }
    for (const match of matchesOf(text, plugins)) {
      const [, named, alias, kotlin, bare] = match;
      // A catalog says which plugin the alias is.
      const plugin = named ?? (kotlin === undefined ? bare : `org.jetbrains.kotlin.${kotlin}`);
      const name = plugin === undefined ? aliasOf(alias ?? '') : `${plugin}:${plugin}.gradle.plugin`;
      listing.package(name, 'develop', lineOf(match.index));
    }
    return listing.reading({
      isPublished: /["'`](?:maven-publish|com\.vanniktech\.maven\.publish|com\.gradle\.plugin-publish|signing)["'`]/.test(text)
        ? true
        : null,
    });
  },
};

/** What stands behind a configuration: up to the closing bracket, or to the end of the line and of lines behind a comma. */
function argumentsAt(text: string, start: number): string {
  const piece = text.slice(start, start + 2000);
  const trimmed = piece.trimStart();
  if (!trimmed.startsWith('(')) return /^(?:[^\n]*,[ \t]*\n)*[^\n]*/.exec(piece)?.[0] ?? '';
  let depth = 0;
  for (let at = 0; at < trimmed.length; at += 1) {
    if (trimmed[at] === '(') depth += 1;
    else if (trimmed[at] === ')') {
      depth -= 1;
      if (depth === 0) return trimmed.slice(0, at + 1);
    }
  }
  return trimmed.split('\n', 1)[0] ?? '';
}

function addArguments(listing: Listing, text: string, use: 'runtime' | 'develop', line: number): void {
  // A platform gives versions and no code.
  if (/^\s*\(?\s*(?:enforcedPlatform|platform)\b/.test(text)) return;
  for (const [, coordinates, project, accessor, alias, group, name] of text.matchAll(argument)) {
    if (coordinates !== undefined) listing.package(coordinates, use, line);
    if (project !== undefined) listing.reference(project);
    if (accessor !== undefined) listing.reference(`:${accessor.replaceAll('.', ':')}`);
    if (alias !== undefined) listing.package(alias, use, line);
    if (group !== undefined && name !== undefined) listing.package(`${group}:${name}`, use, line);
  }
}

export const settingsGradle: FactReader = {
  name: 'settings.gradle',
  takes: (path) => /^settings\.gradle(?:\.kts)?$/.test(baseOf(path)),
  endings: ['gradle', 'kts'],
  read: (file) => {
    const text = withoutComments(file.text, 'slashes');
    const listing = new Listing(file, 'maven');
    const moved = movedIn(file, text);
    for (const match of matchesOf(text, /(?<![\w.])include[ \t]*(?=[("'])/g)) {
      for (const [, project = ''] of argumentsAt(text, match.index + match[0].length).matchAll(/["']([\w:./-]{1,300})["']/g)) {
        const path = project.replace(/^:/, '');
        listing.member(moved.get(path) ?? path.replaceAll(':', '/'));
      }
    }
    return listing.reading({ name: /\brootProject\.name\s*=\s*["']([\w .-]{1,100})["']/.exec(text)?.[1] ?? null });
  },
};

/** Projects in folders with other names: `project(':web').projectDir = file('apps/web')`. */
function movedIn({ path }: SourceFile, text: string): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  const pattern = /\bproject\s*\(\s*["']:?([\w:.-]{1,200})["']\s*\)\.projectDir\s*=[ \t]*[^\n"']{0,60}["']([^"'\n]{1,200})["']/g;
  for (const [, project = '', place = ''] of text.matchAll(pattern)) {
    const folder = folderAt('', place.replace(/^\$\{?rootDir\}?\/|^\$rootDir\//, ''));
    if (folder !== null && folderAt(folderOf(path), place) !== null) moved.set(project, folder);
  }
  return moved;
}
