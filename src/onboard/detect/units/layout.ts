import type { Manifest } from '../facts.ts';
import { isIn, pathFrom } from '../paths.ts';
import { isAside } from './roles.ts';

/** Files that start or hold a program, from a folder of its own. A module or a crate without one of them is code for others. */
const programs: { readonly [ecosystem: string]: { readonly library: RegExp; readonly program: RegExp } } = {
  go: {
    library: /^[^/]+\.go$|^pkg\/.+\.go$/,
    program: /^(?:(?:main|server|app|api|cmd|bot|worker|web|run)\.go|(?:cmd|app|server|api)\/.+\.go|.+\/main\.go)$/,
  },
  // A package in a folder of its own, and no module at the root or under a name of programs.
  pypi: {
    library: /^(?:src\/)?(?!(?:apps?|api|server|backend|web|bot|services?|workers?|config|core|project)\/)\w+\/__init__\.py$/,
    program:
      /^(?!setup\.py$|conftest\.py$|noxfile\.py$|tasks\.py$|versioneer\.py$)[^/]+\.(?:py|ipynb)$|(?:^|\/)(?:__main__|main|app|server|serve|api|manage|wsgi|asgi|run|start|bot|worker|jobs?|cli|settings|celery(?:_app)?|tasks|handlers?|lambda_function|flows?|dags?|routes|views)\.py$/,
  },
  cargo: { library: /^src\/lib\.rs$/, program: /^src\/(?:main\.rs|bin\/.+\.rs)$/ },
};

/** Files of programs that are run as they are, and of hosts that run one. */
const images =
  /^(?:.*\/)?(?:(?:Dockerfile|Containerfile|Procfile)(?:\.[\w-]+)?|(?:fly|railway|netlify|wrangler|samconfig)\.\w+|render\.ya?ml|heroku\.yml|vercel\.json|serverless\.(?:yml|yaml|ts|js)|app\.ya?ml|apprunner\.yaml|cdk\.json)$/;

/**
 * Tells whether the layout of a Go module, a crate or a package of Python is that of a library. No manifest of the first two says what is
 * published, and one of Python need not.
 */
export function hasNoProgram(folder: string, manifests: readonly Manifest[], files: readonly string[]): boolean {
  const [manifest] = manifests.filter(({ name }) => name !== null);
  const layout = manifests.length === 1 && manifest ? programs[manifest.ecosystem] : undefined;
  if (!layout || manifest?.hasProgram || manifest?.isPublished === false) return false;
  const own = files.filter((file) => isIn(file, folder)).map((file) => pathFrom(folder, file));
  const code = own.filter((file) => !isAside(file));
  return code.some((file) => layout.library.test(file)) && !code.some((file) => layout.program.test(file) || images.test(file));
}

/**
 * Tells whether a folder is a project of Django, with the program that servers start. A package for other projects has its own only in
 * its tests or examples.
 */
export function isDjangoProject(folder: string, files: readonly string[]): boolean {
  const own = files.filter((file) => isIn(file, folder)).map((file) => pathFrom(folder, file));
  return own.includes('manage.py') && own.some((file) => /^[\w/]+\/(?:wsgi|asgi)\.py$/.test(file) && !isAside(file));
}

/** Plugins and packages that make a program of a project of Java or .NET. */
const starters =
  /^(?:application|war|org\.springframework\.boot|io\.ktor\.plugin|io\.quarkus|io\.micronaut\.(?:application|minimal\.application)|com\.(?:gradleup|github\.johnrengelman)\.shadow|com\.android\.application)(?::|$)|^Microsoft\.NET\.Sdk\.(?:Web|Worker|BlazorWebAssembly)$/;

/** Files of programs, from a folder of its own. */
const started =
  /^(?:Program\.(?:cs|fs|vb)|main\.(?:py|go|ts|js)|(?:app|server|worker|index)\.(?:py|go)|cmd\/.+\.go|src\/(?:main\.rs|bin\/.+\.rs)|src\/main\/(?:.+\/)?(?:Main|App|Application|\w+Application)\.(?:kt|java|scala|groovy))$/;

/** Tells whether nothing in a folder starts it: no script, no image, no plugin or file of a program. */
export function hasNoStart(folder: string, manifests: readonly Manifest[], files: readonly string[]): boolean {
  if (
    manifests.some(
      ({ scripts, packages, hasProgram }) => hasProgram || 'start' in scripts || packages.some(({ name }) => starters.test(name)),
    )
  )
    return false;
  return !files.some((file) => isIn(file, folder) && isStart(pathFrom(folder, file)));
}

const isStart = (path: string): boolean => started.test(path) || images.test(path);
