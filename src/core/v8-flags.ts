/** The versions of V8 in which our flags were seen to work (Node 22 and 24); one that lacks a flag would say so on the terminal. */
const known = ['12', '13'];

/** Sets flags of V8 for this process, from now on. Nothing is done, and `false` given, in a version of V8 that may lack them. */
export function setV8Flags(flags: readonly string[], v8 = process.versions.v8): boolean {
  if (!known.includes(v8.split('.', 1)[0] ?? '')) return false;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
  return true;
}
