import { cross, type Door, noLines, patient, preview, production } from './crossing.ts';
import { told } from './standing.ts';

/** The destroy goes by the ledger alone: what the apply took over, it acts on. */
const come: Door['come'] = async (shop, { asks }, plan) => {
  await shop.write(plan);
  await told(shop.apply({ ...asks, ...patient }));
  await shop.write(noLines(plan));
  return await told(shop.destroy({ ...asks, ...patient }));
};

cross('an apply, and the destroy after it,', { scope: preview, come });
cross('an approved run of production, and its destroy,', { scope: production, come });
