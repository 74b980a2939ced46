import type { FactReader } from '../../facts.ts';
import { buildConstants, versionCatalog } from './aliases.ts';
import { gleamToml, mixExs, rebarConfig } from './beam.ts';
import { cargoToml } from './cargo.ts';
import { melos, pubspec } from './dart.ts';
import { denoJson, railsImportMap, specifiersInCode } from './deno.ts';
import { dotnetProject, packagesConfig, paket, solution } from './dotnet.ts';
import { goMod, goWork } from './go.ts';
import { buildGradle, settingsGradle } from './gradle.ts';
import { clojure, sbt } from './jvm-text.ts';
import { pomXml } from './maven.ts';
import { npmWorkspace, nxProject, packageJson } from './npm.ts';
import { composerJson } from './php.ts';
import { condaEnvironment, pipfile, pyproject, requirements, setupPy } from './python.ts';
import { gemfile, gemspec } from './ruby.ts';
import { packageSwift, podfile } from './swift.ts';

/** Readers of lists of packages, by ecosystem. */
export const packageReaders: readonly FactReader[] = [
  packageJson,
  npmWorkspace,
  nxProject,
  denoJson,
  specifiersInCode,
  railsImportMap,
  pyproject,
  requirements,
  pipfile,
  setupPy,
  condaEnvironment,
  gemfile,
  gemspec,
  goMod,
  goWork,
  cargoToml,
  composerJson,
  mixExs,
  rebarConfig,
  gleamToml,
  buildGradle,
  settingsGradle,
  versionCatalog,
  buildConstants,
  pomXml,
  dotnetProject,
  packagesConfig,
  solution,
  paket,
  pubspec,
  melos,
  packageSwift,
  podfile,
  sbt,
  clojure,
];
