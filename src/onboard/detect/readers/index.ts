import type { FactReader } from '../facts.ts';
import { addressReaders } from './addresses.ts';
import { awsClients } from './aws-clients.ts';
import { codeReaders } from './code/index.ts';
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

/** Every reader. Their order means nothing. */
export const readers: readonly FactReader[] = [
  ...packageReaders,
  ...hostReaders,
  ...workflowReaders,
  ...settingsReaders,
  ...infrastructureReaders,
  ...addressReaders,
  ...secretListReaders,
  ...codeReaders,
  awsClients,
  googleClients,
  envFiles,
  prismaSchema,
  sequelizeConfig,
  textRenames,
  commandVariables,
];
