import { optionsOf } from './options.ts';
import { root } from './tasks.ts';

/**
 * npm runs this for each install. Somebody who installs from a git address gets no build otherwise. npm says in INIT_CWD where it was
 * started. In this checkout that is this folder, and there `npm test`, `npm pack` and all else that needs the build make it anyway.
 */
optionsOf('npm run prepare', {});
if (process.env.INIT_CWD !== root) {
  const { build } = await import('./build.ts');
  await build();
}
