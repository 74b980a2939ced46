import { join } from 'node:path';
import type { InputOptions, OutputOptions } from 'rolldown';
import { root } from '../tasks.ts';
import { partsOfUndici } from './undici.ts';

/** What every bundle of ours is made with. */
export const bundlerOptions = {
  platform: 'node',
  // Its `main` asks for its other files in a way that no bundler follows, so they would be missing (3.3.1).
  resolve: { alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') } },
  plugins: [partsOfUndici()],
  onLog: (level, log, handle) => {
    // A dynamic import that is also imported statically, or a missing file, would change what is loaded and when.
    if (level === 'warn') throw new Error(`the bundle has a warning: ${log.message}`);
    handle(level, log);
  },
} satisfies InputOptions;

/** The oldest Node that runs what we build. */
export const target = 'node22';

/**
 * How the text of a program is made small. V8 keeps it for as long as the program runs: in a byte a character where all of it is ASCII, in
 * two for a single one that is not, and every start reads, checks and copies it. Some messages give the name of a class, and a stack trace
 * those of functions.
 */
export const minified = {
  minify: { compress: true, codegen: { removeWhitespace: true, asciiOnly: true }, mangle: { keepNames: { class: true, function: true } } },
  comments: { legal: false, annotation: false, jsdoc: false },
} satisfies OutputOptions;
