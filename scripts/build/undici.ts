import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';
import { root } from '../tasks.ts';

/**
 * undici without what no request of ours reaches: mocks, caches, cookies, web sockets, HTTP/2 (which our agents turn off) and a second
 * parser that is an experiment. That is half of its text, and all of it would be read at each start. Nor does it load Node's own HTTP
 * client for two names. What imports another name of it fails while it is built.
 */
export function partsOfUndici(): Plugin {
  const own = join(root, 'src');
  return {
    name: 'parts-of-undici',
    resolveId: (source, importer) => {
      if (source === 'undici' && importer?.startsWith(own)) return { id: entry };
      return source === 'node:assert' && importer?.startsWith(library) ? { id: assertion } : null;
    },
    load: (id) => {
      if (id === entry) return { code: entryText, moduleType: 'js' };
      if (id === assertion) return { code: assertionText, moduleType: 'js' };
      const code = instead.get(id) ?? withoutHttp(id);
      return code === undefined ? null : { code, moduleType: 'js' };
    },
  };
}

const entry = '\0undici';
const assertion = '\0undici-assert';
const library = join(dirname(createRequire(import.meta.url).resolve('undici/package.json')), 'lib');
const part = (name: string): string => join(library, name);
const instead = new Map([
  [part('dispatcher/client-h2.js'), "module.exports = () => { throw new Error('this build speaks no HTTP/2') };"],
  [part('dispatcher/parser-h1.js'), 'module.exports = { getMiloEnabled: () => false };'],
  ...['web/fetch/body.js', 'web/fetch/formdata.js', 'web/webidl/index.js'].map(
    (name) => [part(name), "throw new Error('this build sends texts and bytes, and no forms or streams');"] as const,
  ),
]);

/** Module → what it takes of `node:http`: the default limit of headers in bytes; a class that nothing of ours is of. */
const ofHttp = new Map([
  [part('dispatcher/client.js'), { taken: 'const http =', given: '{ maxHeaderSize: 16 * 1024 }' }],
  [part('core/util.js'), { taken: 'const { IncomingMessage } =', given: '{ IncomingMessage: class IncomingMessage {} }' }],
]);

function withoutHttp(id: string): string | undefined {
  const of = ofHttp.get(id);
  if (of === undefined) return undefined;
  const [before, after, ...more] = readFileSync(id, 'utf8').split(`${of.taken} require('node:http')`);
  if (after === undefined || more.length > 0) throw new Error(`${id} no longer takes of node:http what it took`);
  return `${before}${of.taken} ${of.given}${after}`;
}

/** Its assertions load Node's module for them when the first one fails: that takes 2 ms, all of this library some 5. */
const assertionText = `
module.exports = (holds, ...message) => { if (!holds) require('node:assert')(holds, ...message); };
`;

const entryText = `
import Agent from ${JSON.stringify(part('dispatcher/agent.js'))};
import Dispatcher from ${JSON.stringify(part('dispatcher/dispatcher.js'))};
import buildConnector from ${JSON.stringify(part('core/connect.js'))};
export { Agent, buildConnector };
// The parser is compiled by another thread while the program reads its plan: V8 has it when the first connection asks for the same bytes, as
// long as this module lives.
Agent.parser = WebAssembly.compile(require(${JSON.stringify(part('llhttp/llhttp_simd-wasm.js'))})).catch(() => null);
// What most runs do without is evaluated for who asks for it.
const api = () => require(${JSON.stringify(part('api/index.js'))});
export function EnvHttpProxyAgent(options) {
  const ProxyAgent = require(${JSON.stringify(part('dispatcher/env-http-proxy-agent.js'))});
  // A proxy is asked for a connection by such a method.
  Object.assign(Dispatcher.prototype, api());
  return new ProxyAgent(options);
}
export const request = (address, { dispatcher, ...options }) => {
  const { origin, pathname, search } = new URL(address);
  return api().request.call(dispatcher, { ...options, origin, path: pathname + search });
};
`;
