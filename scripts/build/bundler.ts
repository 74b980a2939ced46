import type { InputOptions, OutputOptions } from 'rolldown';

/** What every bundle of ours is made with. */
export const bundlerOptions = {
  platform: 'node',
  // Of a package that has itself as ES modules, too, a bundle holds only what is used. The other form of jsonc-parser asks for its own files
  // in a way that no bundler follows (3.3.1).
  resolve: { mainFields: ['module', 'main'] },
  onLog: (level, log, handle) => {
    // A dynamic import that is also imported statically, or a missing file, would change what is loaded and when.
    if (level === 'warn') throw new Error(`the bundle has a warning: ${log.message}`);
    handle(level, log);
  },
} satisfies InputOptions;

/** The oldest Node that runs what we build. */
export const target = 'node22';

/** How the text of a program is made small. Some messages give the name of a class. */
export const minified = {
  minify: { compress: true, codegen: { removeWhitespace: true }, mangle: { keepNames: { class: true, function: false } } },
  comments: { legal: false, annotation: false, jsdoc: false },
} satisfies OutputOptions;
