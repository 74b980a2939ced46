import { readerOf } from './language.ts';

/** Reads Dart. */
export const dart = readerOf({
  name: 'dart',
  endings: ['dart'],
  comments: 'slashes',
  tells: /[eE]nv/,
  reads: [
    /\b(?:String|bool|int)\.(?:from|has)Environment\(\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    /\b(?:Platform\.environment|dotenv\.env|env)\[\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    /\bdotenv\.(?:get|maybeGet)\(\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
    /@EnviedField\([^)\n]{0,100}\bvarName:\s*["']([A-Z][A-Z0-9_]{1,79})["']/g,
  ],
  openings: [],
});

/** Reads Swift, of apps and of servers (Vapor). */
export const swift = readerOf({
  name: 'swift',
  endings: ['swift'],
  comments: 'slashes',
  tells: /[eE]nvironment/,
  reads: [/\b[eE]nvironment\[\s*"([A-Z][A-Z0-9_]{1,79})"/g, /\bEnvironment\.(?:get|process\.\w+)\(\s*"([A-Z][A-Z0-9_]{1,79})"/g],
  openings: [
    { before: /\.postgres\([^\n]{0,120}$|SQLPostgresConfiguration\([^\n]{0,120}$/, engine: 'postgres', by: 'fluent-postgres-driver' },
    { before: /\.mysql\([^\n]{0,120}$/, engine: 'mysql', by: 'fluent-mysql-driver' },
  ],
});
