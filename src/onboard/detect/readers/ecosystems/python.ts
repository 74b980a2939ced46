import type { FactReader } from '../../facts.ts';
import { python } from '../code/python.ts';
import { condaEnvironment, pipfile, pyproject, requirements, setupPy } from '../packages/python.ts';

export const readers: readonly FactReader[] = [pyproject, requirements, pipfile, setupPy, condaEnvironment, python];
