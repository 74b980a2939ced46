import '../../crash/simulate/virtual-files.ts';
import { registerHooks } from 'node:module';
import { machines } from './machine.ts';

/**
 * Loaded before the program: the modules through which it touches its machine give way to those of the simulated one. Everything else is
 * the code that people run, from the action's inputs to the last request.
 */
const standIns: { readonly [file: string]: string } = {
  'src/core/clock.ts': './clock.ts',
  'src/http/connections.ts': './connections.ts',
  'src/ledger/stores/git/git-store.ts': './git-store.ts',
  'src/platform/ancestry.ts': './ancestry.ts',
  'src/platform/checkout.ts': './checkout.ts',
};

const root = new URL('../../../', import.meta.url).href;
const instead = new Map(Object.entries(standIns).map(([file, own]) => [`${root}${file}`, new URL(own, import.meta.url).href]));

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const url = instead.get(found.url);
    return url === undefined ? found : { ...found, url };
  },
});

// The runner's library reads the variables of the process and writes to its output.
const { env, stdout } = process;
const write = stdout.write.bind(stdout);
Object.defineProperty(process, 'env', { configurable: true, get: () => machines.getStore()?.env ?? env });
stdout.write = ((text: string | Uint8Array, ...more: readonly unknown[]): boolean => {
  const machine = machines.getStore();
  if (!machine) return Reflect.apply(write, stdout, [text, ...more]);
  machine.write(String(text));
  return true;
}) as typeof stdout.write;
