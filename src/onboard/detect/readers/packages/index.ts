import type { FactReader } from '../../facts.ts';
import { buildConstants, versionCatalog } from './aliases.ts';
import { denoJson, railsImportMap, specifiersInCode } from './deno.ts';
import { npmWorkspace, nxProject, packageJson } from './npm.ts';

/** Readers of lists of packages of JavaScript, and of what several ecosystems have. Others stand in `../ecosystems/`. */
export const packageReaders: readonly FactReader[] = [
  packageJson,
  npmWorkspace,
  nxProject,
  denoJson,
  specifiersInCode,
  railsImportMap,
  versionCatalog,
  buildConstants,
];
