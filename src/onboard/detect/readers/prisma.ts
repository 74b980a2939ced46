import type { FactReader, VariableUse } from '../facts.ts';
import { engineOfWord } from './code/databases.ts';
import { databasesOf } from './code/opened.ts';
import { linesOf, withoutComments } from './source.ts';

/** Reads from which variables Prisma takes the address of the database. A schema may be in several files. */
export const prismaSchema: FactReader = {
  name: 'prisma schema',
  endings: ['prisma'],
  takes: (path) => path.endsWith('.prisma'),
  read: ({ path, text }, asked) => {
    const code = withoutComments(text, 'slashes');
    const lineOf = linesOf(code);
    const variables: VariableUse[] = [];
    for (const block of code.matchAll(/^[ \t]*datasource[ \t]+\w+[ \t]*\{([^}]*)\}/gm)) {
      const engine = engineOfWord(/\bprovider[ \t]*=[ \t]*"(\w+)"/.exec(block[1] ?? '')?.[1] ?? '');
      const start = block.index + block[0].length - (block[1] ?? '').length - 1;
      for (const match of (block[1] ?? '').matchAll(/\b(url|directUrl|shadowDatabaseUrl)[ \t]*=[ \t]*env\([ \t]*"([A-Z_a-z]\w{0,99})"/g)) {
        const role = roles[match[1] ?? ''];
        variables.push({
          name: match[2] ?? '',
          file: path,
          line: lineOf(start + match.index),
          where: 'schema',
          use: 'runtime',
          hosts: [],
          schemes: [],
          opens: { engine, by: 'prisma', ...(role && { role }) },
        });
      }
    }
    return { variables, facts: databasesOf(variables, asked) };
  },
};

const roles: { readonly [key: string]: 'direct' | 'shadow' } = { directUrl: 'direct', shadowDatabaseUrl: 'shadow' };
