import type { FactReader } from '../facts.ts';
import { listingOf } from '../listing.ts';
import { addressReaders } from './addresses.ts';
import { awsClients } from './aws-clients.ts';
import { javascript } from './code/javascript.ts';
import { type Ecosystem, ecosystems } from './ecosystems/index.ts';
import { commandVariables } from './env/command-variables.ts';
import { textRenames } from './env/text-renames.ts';
import { envFiles } from './env-file.ts';
import { googleClients } from './google-clients.ts';
import { hostReaders } from './host-readers.ts';
import { infrastructureReaders } from './infrastructure/index.ts';
import { packageReaders } from './packages/index.ts';
import { prismaSchema } from './prisma.ts';
import { secretListReaders } from './secret-lists.ts';
import { sequelizeConfig } from './sequelize.ts';
import { settingsReaders } from './settings/index.ts';
import { workflowReaders } from './workflow-readers.ts';

/** The readers that every repository may need. The order of readers means nothing. */
export const general: readonly FactReader[] = [
  ...packageReaders,
  ...hostReaders,
  ...workflowReaders,
  ...settingsReaders,
  ...infrastructureReaders,
  ...addressReaders,
  ...secretListReaders,
  javascript,
  awsClients,
  googleClients,
  envFiles,
  prismaSchema,
  sequelizeConfig,
  textRenames,
  commandVariables,
];

/** The readers that these files may need. */
export async function readersFor(files: readonly string[]): Promise<readonly FactReader[]> {
  const names = [...listingOf(files).names.values()];
  const has = (one: Ecosystem): boolean =>
    names.some(({ name, places }) => one.names.test(name) && places.some((place) => one.paths?.test(files[place] ?? '') ?? true));
  return [...general, ...(await loaded(ecosystems.filter(has)))];
}

/** Every reader. */
export const allReaders = async (): Promise<readonly FactReader[]> => [...general, ...(await loaded(ecosystems))];

const loaded = async (those: readonly Ecosystem[]): Promise<readonly FactReader[]> =>
  (await Promise.all(those.map(({ load }) => load()))).flatMap(({ readers }) => readers);
