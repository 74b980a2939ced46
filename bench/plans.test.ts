import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../test/support/read-plan.ts';
import { cases } from './cases.ts';
