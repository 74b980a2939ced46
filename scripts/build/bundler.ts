import { join } from 'node:path';
import type { InputOptions, OutputOptions, Plugin } from 'rolldown';
import { root } from '../tasks.ts';

/**
 * The entry of undici with the parts that the program uses. The whole package is 240 KB more, which a cold start compiles: mocks, caches,
 * WebSockets. It takes the files that undici's own entry takes, and gives `Dispatcher` its methods as that one does.
 */
const undici = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  import api from 'undici/lib/api/index.js';
  Object.assign(Dispatcher.prototype, api);
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';
  export { Headers } from 'undici/lib/web/fetch/headers.js';
`;

/** The tool server checks one form with it. The default brings ajv: 250 KB more. */
const mcpShims = `
  export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
  export { default as process } from 'node:process';
`;

/** The packages of which a bundle holds less than their entry reaches, with the entry that stands in its place. */
const entries = new Map([
  ['undici', undici],
  ['@modelcontextprotocol/server/_shims', mcpShims],
  // isomorphic-git unpacks with it, and packs with Node's own streams.
  ['pako', "export { default } from 'pako/lib/inflate.js';"],
  // Its entry also brings a pool, and asks for a native client that nobody has.
  ['pg', "export { default as Client } from 'pg/lib/client.js';"],
  // Its entry for Node asks for two variables of the environment with every token.
  ['yaml', `export * from ${JSON.stringify(join(root, 'node_modules/yaml/browser/dist/index.js'))};`],
]);

/** Another package has a copy of its own, or needs more of it. */
const isOfOthers = (importer: string): boolean => /[\\/]node_modules[\\/](?!@modelcontextprotocol[\\/]|isomorphic-git[\\/])/.test(importer);

/** Leaves out what the program does not use of packages that cannot tell that themselves. */
export const usedParts: Plugin = {
  name: 'used-parts',
  resolveId: (id, importer = '') => (entries.has(id) && !isOfOthers(importer) ? `\0${id}` : null),
  load: (id) => (id.startsWith('\0') ? (entries.get(id.slice(1)) ?? null) : null),
};

/** Every bundle of ours is made with these. */
export const bundlerOptions = {
  platform: 'node',
  // Of a package that has itself as ES modules, too, a bundle holds only what is used. The other form of jsonc-parser asks for its own files
  // in a way that no bundler follows (3.3.1).
  resolve: { mainFields: ['module', 'main'] },
  plugins: [usedParts],
  onLog: (level, log, handle) => {
    // A dynamic import that is also imported statically, or a missing file, would change what is loaded and when.
    if (level === 'warn') throw new Error(`the bundle has a warning: ${log.message}`);
    handle(level, log);
  },
} satisfies InputOptions;

/** The oldest Node that runs what we build. */
const target = 'node22';

/** `defines`: the values of names that the sources leave open. undici drops its second, experimental parser where `esbuildDetection` is set. */
export const transformWith = (defines: Readonly<Record<string, string>> = {}) => ({
  target,
  define: { esbuildDetection: 'true', ...defines },
});

/** How the text of a program is made small. Some messages give the name of a class. */
export const minified = {
  minify: { compress: true, codegen: { removeWhitespace: true }, mangle: { keepNames: { class: true, function: false } } },
  comments: { legal: false, annotation: false, jsdoc: false },
} satisfies OutputOptions;
