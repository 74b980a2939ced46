import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import { ownFolder, ownModule } from '../platform/own-assets.ts';

const library = new URL('dist/index.js', ownFolder).href;

/**
 * The entry of the single executable. It holds the modules of the package as they are, and Node's own loader loads each when it is needed.
 * A plugin lies outside and is loaded by its path. Its import of `pilotfish` gives the library inside, so both share their classes.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    const url = specifier === 'pilotfish' ? library : inside(specifier, context.parentURL);
    return url === null ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
  },
  load: (url, context, next) => {
    const source = ownModule(url);
    return source === null ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

/** The address of a module inside that another module inside, or this entry, imports. */
function inside(specifier: string, parent: string | undefined): string | null {
  if (specifier.startsWith(ownFolder)) return specifier;
  return parent?.startsWith(ownFolder) && /^\.{1,2}\//.test(specifier) ? new URL(specifier, parent).href : null;
}

/** A link named `pilotfish-mcp` starts the tool server. */
const name = basename(process.argv0).startsWith('pilotfish-mcp') ? 'pilotfish-mcp' : 'pilotfish';
void import(new URL(`dist/${name}.js`, ownFolder).href);
