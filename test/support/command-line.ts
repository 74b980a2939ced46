import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/output.ts';
import { runApply, runClosed, runPlan } from '../../src/engine/run.ts';
import type { Pulls } from '../lifecycle/pulls.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Keeps what is written. */
class Sink extends Writable {
  text = '';
  /** Is called with each text. */
  onText: (text: string) => void = () => undefined;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.onText(chunk.toString());
    done();
  }
}

/** A terminal at which a person answers the question. */
function terminal({ types, columns, onQuestion }: Required<Omit<CommandOptions, 'env'>>, stderr: Sink) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  let isAsked = false;
  stderr.onText = (text) => {
    if (isAsked || !text.includes('Type yes')) return;
    isAsked = true;
    void onQuestion().then(() => setImmediate(() => stdin.write(types)));
  };
  return { stdin, stderr: Object.assign(stderr, { isTTY: true, columns, rows: 40 }) };
}

export interface CommandOptions {
  readonly env?: { readonly [name: string]: string } | undefined;
  /** There is a terminal, and the person there types this when the run asks. */
  readonly types?: string | undefined;
  /** Of the terminal. */
  readonly columns?: number;
  /** What happens before the person answers. */
  readonly onQuestion?: () => Promise<void>;
}

/** Runs one command line in this process, with the real engine over the simulations of `pulls`. */
export async function commandLine(
  pulls: Pulls,
  argv: readonly string[],
  { env = {}, types, columns = 80, onQuestion = async () => undefined }: CommandOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const tools = () => ({ dispatcher: pulls.dispatcher, store: pulls.remote.open(), clock: pulls.clock, repository: null });
  const world = {
    cwd: pulls.folder,
    env: { ...pulls.request().env, GITHUB_REPOSITORY: 'acme/shop', ...env },
    stdout,
    stderr,
    signals: new EventEmitter(),
    now: () => 0,
    exit: null,
    // A proof sends through a socket of its own, over which no clock may leap.
    network: { dispatcher: pulls.dispatcher, ...(argv[0] !== 'live' && { clock: pulls.clock }) },
    release: null,
    openLedger: async () => pulls.remote.open(),
    ...(types !== undefined && terminal({ types, columns, onQuestion }, stderr)),
    loadRunner: async () => ({
      runPlan: (request: Parameters<typeof runPlan>[0], more = {}) => runPlan(request, { ...tools(), ...more }),
      runApply: (request: Parameters<typeof runApply>[0], more = {}) => runApply(request, { ...tools(), ...more }),
      runClosed: (request: Parameters<typeof runClosed>[0], more = {}) => runClosed(request, { ...tools(), ...more }),
    }),
  };
  const code = await main(argv, world, createOutput(world, argv));
  return { code, stdout: stdout.text, stderr: stderr.text };
}
