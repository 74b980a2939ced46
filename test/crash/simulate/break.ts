import { registerHooks } from 'node:module';
import { type Mutant, mutants } from './mutants.ts';

/** Loaded before everything else (`node --import`): one source file of the program is changed on its way in. */
const name = process.env.SIMULATE_MUTANT ?? '';
const mutant: Mutant | undefined = Object.entries(mutants).find(([known]) => known === name)?.[1];
if (!mutant) throw new Error(`SIMULATE_MUTANT is "${name}", and there is no such mutant`);

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith(`/${mutant.file}`)) return loaded;
    let source = String(loaded.source);
    for (const [text, instead] of mutant.edits) {
      if (source.split(text).length !== 2) throw new Error(`${mutant.file} does not hold this text once: ${text}`);
      source = source.replace(text, () => instead);
    }
    return { ...loaded, source };
  },
});
