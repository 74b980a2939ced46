import type { FactReader } from '../../facts.ts';
import { routesOfJavascript } from '../routes/javascript-routes.ts';
import { modulesOf } from './javascript-modules.ts';
import { schedulesOfJavascript } from './javascript-schedules.ts';
import { variablesOfJavascript } from './javascript-variables.ts';
import { databasesOf } from './opened.ts';
import { renamesOfJavascript } from './renames.ts';
import { codeOf, isMade } from './source-code.ts';

/** Reads JavaScript and TypeScript, also inside components. */
export const javascript: FactReader = {
  name: 'javascript',
  isCode: true,
  endings: ['js', 'cjs', 'mjs', 'jsx', 'ts', 'cts', 'mts', 'tsx', 'vue', 'svelte', 'astro'],
  takes: (path) => /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(path),
  read: (file, asked) => {
    // Most modules of an app read nothing from outside.
    if (!tells.test(file.text) || isMade(file)) return {};
    const code = codeOf(file, 'slashes');
    const variables = variablesOfJavascript(code);
    return {
      facts: [...databasesOf(variables, asked), ...modulesOf(code, asked)],
      variables,
      routes: routesOfJavascript(code),
      schedules: schedulesOfJavascript(code),
      renames: renamesOfJavascript(code),
    };
  },
};

/** `export {}` only says that a file is a module. */
const tells = /env|[cC]onfig|@vercel\/|unstorage\/|["'`]\/|export (?:const|async|function|\{(?!\s*\}))|[sS]chedule|[cC]ron/;
