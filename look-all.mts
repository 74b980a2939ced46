import { readdir } from 'node:fs/promises';
import { openRegistry } from './src/engine/prepare/registry.ts';
import { look } from './src/onboard/look.ts';
const root = '/work/real/dev';
const only = process.argv.slice(2);
for (const name of (await readdir(root)).sort()) {
  if (only.length && !only.includes(name)) continue;
  try {
    const r = await look(`${root}/${name}`, await openRegistry({ env: {}, cwd: root }));
    console.log(`# ${name}`, JSON.stringify(r.survey.deployables.map((d) => [d.folder, d.host?.provider ?? null]).slice(0, 8)), r.survey.library ? 'LIBRARY' : '', r.survey.template ? 'TEMPLATE' : '');
    for (const c of r.survey.claims) console.log(`   ${c.service}: ${c.evidence.map((e) => `${e.file}: ${e.what}`).slice(0, 3).join(' | ')}`);
  } catch (e) { console.log('#', name, 'ERR', (e as Error).message); }
}
