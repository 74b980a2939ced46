import { cross, noLines, patient, preview } from './crossing.ts';
import { told } from './standing.ts';

/** A run that leaves an orphan is complete, and names it. */
const named = (said: string): string => (said.includes('"becomes":"left"') ? said.replace('"ok":true', '"ok":false') : said);

cross('an apply that prunes what a plan without lines left', {
  scope: preview,
  come: async (shop, { asks }, plan) => {
    await shop.write(noLines(plan));
    return named(await told(shop.apply({ ...asks, ...patient, prune: true })));
  },
});

cross('a destroy of orphans', {
  scope: preview,
  same: ({ isOrphan }) => (isOrphan ? 'no line is left, so a line that left it before is as all others' : undefined),
  come: async (shop, { asks }, plan) => {
    await shop.write(noLines(plan));
    return await told(shop.destroy({ ...asks, ...patient, orphans: true }));
  },
});
