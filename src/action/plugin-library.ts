import { registerHooks } from 'node:module';
import * as library from '../index.ts';

const name = 'pilotfish';
/** No file is there: what a plugin gets is what runs. */
const url = new URL('./library-of-plugins.mjs', import.meta.url).href;
const key = Symbol.for('pilotfish.library');

/**
 * Makes `pilotfish`, as a plugin imports it, the code of this very action: nothing of that name is installed beside it, and a copy in
 * the checkout would have classes of its own, whose errors and secrets nobody here would know.
 *
 * Early versions of Node 24 (24.4.1, tried 2026-11-21; no longer 24.21.0) do not ask hooks for what a CommonJS module requires. There
 * such a plugin gets the copy of the checkout, or is told that there is none; one that is an ES module gets this code everywhere.
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
