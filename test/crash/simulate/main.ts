import { drawScenario } from './scenario.ts';
import { simulateSeed } from './seed.ts';

const [from, count] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 1)];
const began = process.cpuUsage();
let bad = 0;
for (let seed = from; seed < from + count; seed += 1) {
  const result = await simulateSeed(drawScenario(seed));
  if (result.breaches.length > 0) {
    bad += 1;
    if (count === 1) console.log(result.log.join('\n'));
    console.log(seed, result.breaches.slice(0, 2).join('\n   '));
  }
}
const used = process.cpuUsage(began);
console.log({ bad, msPerSeed: (used.user + used.system) / 1000 / count });
