/**
 * A module of Node. `import` would make a second view of it, for which every property is read once, and with them whatever Node itself
 * loads only for who asks: some 10 ms of a start.
 */
export const builtIn: typeof process.getBuiltinModule = (name: string) => {
  const module: object | undefined = process.getBuiltinModule(name);
  if (module === undefined) throw new Error(`${name} is no module of Node`);
  return module;
};
