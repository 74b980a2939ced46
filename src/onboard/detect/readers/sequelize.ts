import type { FactReader } from '../facts.ts';
import { variablesOfJavascript } from './code/javascript-variables.ts';
import { databasesOf } from './code/opened.ts';
import { codeOf } from './code/source-code.ts';

/** Reads the configuration of Sequelize, which names variables: `"use_env_variable": "DATABASE_URL"`. */
export const sequelizeConfig: FactReader = {
  name: 'sequelize configuration',
  endings: ['json', 'sequelizerc'],
  takes: (path) => /(?:^|\/)config\/(?:config|database)\.json$|(?:^|\/)\.sequelizerc$/.test(path),
  read: (file, asked) => {
    const variables = variablesOfJavascript(codeOf(file, 'slashes'));
    return { variables, facts: databasesOf(variables, asked) };
  },
};
