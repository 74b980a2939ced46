import type { Manifest } from '../facts.ts';
import { isIn, pathFrom } from '../paths.ts';
import { isAside } from './roles.ts';

/** Files that start or hold a program, from a folder of its own. A module or a crate without one of them is code for others. */
const programs: { readonly [ecosystem: string]: { readonly library: RegExp; readonly program: RegExp } } = {
  go: {
    library: /^[^/]+\.go$|^pkg\/.+\.go$/,
    program: /^(?:(?:main|server|app|api|cmd|bot|worker|web|run)\.go|(?:cmd|app|server|api)\/.+\.go|.+\/main\.go)$/,
  },
  cargo: { library: /^src\/lib\.rs$/, program: /^src\/(?:main\.rs|bin\/.+\.rs)$/ },
};

/** Files of programs that are run as they are. */
const images = /^(?:.*\/)?(?:Dockerfile|Containerfile|Procfile)(?:\.[\w-]+)?$/;

/** Tells whether the layout of a Go module or a crate is that of a library. No manifest of these says what is published. */
export function hasNoProgram(folder: string, manifests: readonly Manifest[], files: readonly string[]): boolean {
  const [manifest] = manifests.filter(({ name }) => name !== null);
  const layout = manifests.length === 1 && manifest ? programs[manifest.ecosystem] : undefined;
  if (!layout || manifest?.hasProgram || manifest?.isPublished === false) return false;
  const own = files.filter((file) => isIn(file, folder)).map((file) => pathFrom(folder, file));
  const code = own.filter((file) => !isAside(file));
  return code.some((file) => layout.library.test(file)) && !code.some((file) => layout.program.test(file) || images.test(file));
}
