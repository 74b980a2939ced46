import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isatty } from 'node:tty';
import { saysCi } from '../core/ci.ts';
import { Failure } from '../core/errors.ts';
import { runForeground } from '../platform/foreground.ts';
import { gitInCheckout, runGit } from '../platform/git-system.ts';
import type { Output } from './output.ts';
import type { Flags, Invocation } from './parse.ts';
import type { CliWorld } from './world.ts';

type Words = Extract<Invocation, { kind: 'run' }>['program'];

const packageName = 'pilotfish-sandbox';

interface Installed {
  /** The file that Node runs, without links. */
  readonly file: string;
  readonly version: string;
}

/**
 * Runs `pilotfish sandbox`: starts the package of the simulated providers, with the command behind `--` in it. The package is looked for
 * from the working folder, then beside this program. Returns the exit code of what was started.
 */
export async function runSandbox(words: Words, flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const installed = installedFrom(world.cwd) ?? installedFrom(import.meta.dirname);
  if (installed === null) {
    throw new Failure('USAGE', {
      detail: `The simulated providers are a package of their own, ${packageName}, which is installed neither here nor beside pilotfish.`,
      fix: `Install it: \`npm install --save-dev ${packageName}\`, or the path of its tarball in place of the name.`,
    });
  }
  await refuseStrange(installed, world);
  output.say(`pilotfish sandbox: starts ${packageName} ${installed.version} of ${installed.file}`);
  const end = await runForeground({
    argv: [process.execPath, installed.file, ...settingsIn(flags), ...(words === null ? [] : ['--', ...words])],
    cwd: world.cwd,
    env: world.programEnv ?? world.env,
    isAtTerminal: !saysCi(world.env) && isatty(0),
    signals: world.signals,
  });
  if ('code' in end) return end.code;
  throw new Failure('USAGE', { detail: `${installed.file} could not be started.`, fix: `Install ${packageName} anew.` });
}

/** The sandbox takes these flags too, and judges their values itself. */
const settingsIn = (flags: Flags): readonly string[] =>
  ['port', 'state'].flatMap((name) => (flags.has(name) ? [`--${name}=${String(flags.get(name))}`] : []));

function installedFrom(folder: string): Installed | null {
  try {
    const manifest = createRequire(path.join(folder, 'file.js')).resolve(`${packageName}/package.json`);
    const { version = '', bin = {} }: { version?: string; bin?: Record<string, string> } = JSON.parse(readFileSync(manifest, 'utf8'));
    const file = path.join(path.dirname(manifest), bin[packageName] ?? '');
    return existsSync(file) && statSync(file).isFile() ? { file: realpathSync(file), version: String(version) } : null;
  } catch {
    return null;
  }
}

/**
 * Refuses a program that somebody put in the way: one that the checkout has among its own files, whose author a pull request may be, and one
 * that another user of this machine wrote, as into a folder above that all may write.
 */
async function refuseStrange({ file }: Installed, { cwd, env }: CliWorld): Promise<void> {
  const owner = statSync(file).uid;
  const mine = process.getuid?.();
  if (mine !== undefined && owner !== mine && owner !== 0) throw strange(file, 'belongs to another user of this machine');
  const git = await runGit(['ls-files', '--error-unmatch', '--', file], { cwd, env: gitInCheckout(env), timeoutMs: 10_000 }).catch(
    () => null,
  );
  if (git?.code === 0) throw strange(file, 'is one of the files that this checkout brings along');
}

const strange = (file: string, why: string): Failure =>
  new Failure('USAGE', {
    detail: `${file} ${why}, so pilotfish does not start it.`,
    fix: `Install ${packageName} with npm. If you trust the file, start it yourself: \`node ${file}\`.`,
  });
