import { fileURLToPath } from 'node:url';
import { cases } from './cases.ts';
import { openFolder } from './folder.ts';
import { startHost } from './host.ts';

/**
 * `node bench/serve.ts 200 [latency]`: the server and the folder of one case, for a person or a profiler, until Ctrl-C.
 */
const [name = '200', latency] = process.argv.slice(2);
const one = cases.find((each) => each.name === name);
if (!one) throw new Error(`There is no case ${name}: ${cases.map((each) => each.name).join(', ')}.`);
const host = await startHost();
await host.reset({ wanted: one.wanted, latency: latency === undefined ? one.latency : Number(latency), rate: one.rate });
const folder = await openFolder(one, host.base);
const program = fileURLToPath(new URL('../dist/pilotfish.js', import.meta.url));
console.log(`cd ${folder.path}
export ${Object.entries(folder.env)
  .filter(([key]) => key !== 'PATH')
  .map(([key, value]) => `${key}='${value}'`)
  .join(' ')}
node ${program} plan --scope pr-1
node ${program} apply --scope pr-1 --json
node ${program} apply --scope pr-1 --destroy
curl -s -XPOST ${host.base}/control/counters    # what was asked since; drift changes a tenth, world tells everything`);
process.once('SIGINT', () => {
  void folder.remove().then(() => host.stop());
});
