/**
 * A module that is no part of the program: a plugin, by its URL. The loader gives the program this function from its own file: an
 * `import()` that stands in a script which V8 hands its compiled code out for makes Node print a warning to whoever has a plugin.
 */
export const importModule = (url: string): Promise<unknown> => import(url);
