import { registerHooks } from 'node:module';
import * as library from '../index.ts';

const name = 'pilotfish';
/** There is no such file: a plugin gets the running code. */
const url = new URL('./library-of-plugins.mjs', import.meta.url).href;
const key = Symbol.for('pilotfish.library');

/**
 * Makes the import of `pilotfish` in a plugin give the code of this action. No package of that name is installed beside the action, and a
 * copy in the checkout would have classes of its own, whose errors and secrets the action would not recognise.
 *
 * Early versions of Node 24 (24.4.1, tried 2026-11-21; no longer 24.21.0) do not call hooks when a CommonJS module requires. There a
 * CommonJS plugin gets the copy of the checkout, or an error if there is none. An ES module gets this code everywhere.
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
