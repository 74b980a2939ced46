import type { FactReader } from '../../facts.ts';
import { infrastructureCode } from './code.ts';
import { compose, devContainer } from './compose.ts';
import { kubernetes } from './kubernetes.ts';
import { azureTemplates, cloudFormation } from './templates.ts';
import { terraform } from './terraform.ts';

/** Readers of infrastructure, in code and in templates. */
export const infrastructureReaders: readonly FactReader[] = [
  terraform,
  infrastructureCode,
  cloudFormation,
  azureTemplates,
  kubernetes,
  compose,
  devContainer,
];
