import { join } from 'node:path';
import type { InputOptions, OutputOptions, Plugin } from 'rolldown';
import { root } from '../tasks.ts';

/**
 * An entry of undici with only the parts that the program uses. The whole package would add 240 KB for a cold start to compile: mocks,
 * caches, WebSockets. This entry takes the files of undici's own entry, and gives `Dispatcher` its methods in the same way.
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

/** The tool server brings its own validator (src/mcp/server.ts). The default would add ajv: 250 KB. */
const mcpShims = `
  export class DefaultJsonSchemaValidator {}
  export { default as process } from 'node:process';
`;

const entities = `
  export const XML = {}, COMMON_HTML = {}, CURRENCY = {}, ENTITY_ACTION = {};
  export class EntityDecoder {
    reset() {}
    setXmlVersion() {}
    addInputEntities() {}
    decode(text) { return text; }
  }
`;

/** The packages of which a bundle holds only a part, with the entry that replaces their own. */
const entries = new Map([
  ['undici', undici],
  ['@modelcontextprotocol/server/_shims', mcpShims],
  // isomorphic-git unpacks with it, and packs with Node's own streams.
  ['pako', "export { default } from 'pako/lib/inflate.js';"],
  // Its entry also brings a pool, and asks for a native client that nobody has.
  ['pg', "export { default as Client } from 'pg/lib/client.js';"],
  // The package's entry for Node reads two variables of the environment for every token.
  ['yaml', `export * from ${JSON.stringify(join(root, 'node_modules/yaml/browser/dist/index.js'))};`],
  // fast-xml-parser brings code for a DOCTYPE, for entities and for numbers. We read no document with a DOCTYPE, read entities ourselves, and
  // leave every text a text (src/http/encodings/xml-read.ts).
  ['is-unsafe', 'export const HTML = [], XML = [], isUnsafe = () => true;'],
  ['xml-naming', 'export const qName = () => false;'],
  ['@nodable/entities', entities],
  ['strnum', 'export default (text) => text;'],
]);

/** Tells whether another package imports it: such a package has a copy of its own, or needs more parts. */
const isOfOthers = (importer: string): boolean =>
  /[\\/]node_modules[\\/](?!@modelcontextprotocol[\\/]|isomorphic-git[\\/]|fast-xml-parser[\\/])/.test(importer);

/** Leaves out unused parts of packages that do not declare them as unused. */
export const usedParts: Plugin = {
  name: 'used-parts',
  resolveId: (id, importer = '') => (entries.has(id) && !isOfOthers(importer) ? `\0${id}` : null),
  load: (id) => (id.startsWith('\0') ? (entries.get(id.slice(1)) ?? null) : null),
};

/** The index of a build has the signals of the adapters. A run never asks for them, and a survey asks the index. */
const withoutSignals: Plugin = {
  name: 'without-signals',
  load: (id) =>
    /[\\/]src[\\/]adapters[\\/]\w+[\\/]signals\.ts$/.test(id) ? { code: 'export const signals = {};', moduleType: 'js' } : null,
};

/** Every bundle of ours is made with these. */
export const bundlerOptions = {
  platform: 'node',
  // A bundle holds only the used parts of a package in the form of ES modules. The other form of jsonc-parser asks for its own files in a
  // way that no bundler follows (3.3.1).
  resolve: { mainFields: ['module', 'main'] },
  plugins: [usedParts, withoutSignals],
  onLog: (level, log, handle) => {
    // A module with both a dynamic and a static import, or a missing file, would change which code is loaded and when.
    if (level === 'warn') throw new Error(`the bundle has a warning: ${log.message}`);
    handle(level, log);
  },
} satisfies InputOptions;

/** The oldest Node that runs our builds. */
const target = 'node22';

/**
 * `defines` holds the values of names that the sources leave open. With `esbuildDetection` undici drops its second, experimental parser.
 */
export const transformWith = (defines: Readonly<Record<string, string>> = {}) => ({
  target,
  define: { esbuildDetection: 'true', ...defines },
});

/** The options for minifying a program. Names of classes stay, because some messages show them. */
export const minified = {
  minify: { compress: true, codegen: { removeWhitespace: true }, mangle: { keepNames: { class: true, function: false } } },
  comments: { legal: false, annotation: false, jsdoc: false },
  // V8 holds a text with any other character in twice the memory.
  charset: 'ascii',
} satisfies OutputOptions;
