import { registerHooks } from 'node:module';
import * as library from '../index.ts';

const name = 'pilotfish';
/** No file is there: what a plugin gets is what runs. */
const url = new URL('./library-of-plugins.mjs', import.meta.url).href;
const key = Symbol.for('pilotfish.library');

/**
 * Makes `pilotfish`, as a plugin imports it, the code of this very action: nothing of that name is installed beside it, and a copy in
 * the checkout would have classes of its own, whose errors and secrets nobody here would know.
 */
export function offerLibrary(): void {
  Reflect.set(globalThis, key, library);
  registerHooks({
    resolve: (specifier, context, next) => (specifier === name ? { url, format: 'module', shortCircuit: true } : next(specifier, context)),
    load: (asked, context, next) => (asked === url ? { format: 'module', source: source(), shortCircuit: true } : next(asked, context)),
  });
}

const source = (): string =>
  `export const { ${Object.keys(library).join(', ')} } = globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(key))})];`;
