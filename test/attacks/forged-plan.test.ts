import { cross, patient, preview } from './crossing.ts';
import { told } from './standing.ts';

cross('a plan', {
  scope: preview,
  writesNothing: true,
  come: async (shop, { asks }, plan) => {
    await shop.write(plan);
    await told(shop.plan({ ...asks, ...patient }));
    return await told(shop.plan({ ...asks, ...patient, destroy: true }));
  },
});
