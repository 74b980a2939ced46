import { errorTable } from '../core/error-table.ts';
import { Failure, Failures, toErrorData } from '../core/errors.ts';
import type { FailureDoc } from '../report/document.ts';
import { errorsText } from '../report/errors-text.ts';
import { createEventStream } from '../report/event-stream.ts';
import { createStyles, type Styles } from '../report/styles.ts';
import type { CliWorld } from './world.ts';

/** What the command line prints: one report on stdout, as text or as one JSON document, and everything else on stderr. */
export interface Output {
  readonly isJson: boolean;
  /** For what goes to stderr. */
  readonly styles: Styles;
  /** The one report of this process. */
  report<T extends { readonly ok: boolean }>(document: T, text: (styles: Styles) => string): void;
  /** Reports what was thrown and gives the exit code. */
  fail(command: string, thrown: unknown, exit?: number): number;
  /** One line for people, on stderr. */
  say(line: string): void;
}

/**
 * Looks for `--json`, `--events` and `--no-color` in the raw command line, so that a mistyped flag is reported in the form asked for. `onDocument`
 * is given what is reported, or the reason why nothing could be, whatever the form.
 */
export function createOutput(
  world: Pick<CliWorld, 'stdout' | 'stderr' | 'env'>,
  argv: readonly string[],
  onDocument: (document: { readonly ok: boolean }) => void = () => undefined,
): Output {
  const rest = argv.indexOf('--');
  const typed = rest < 0 ? argv : argv.slice(0, rest);
  const isJson = typed.some((token) => token === '--json' || token.startsWith('--json='));
  const isPlain = typed.includes('--no-color');
  const events = typed.includes('--events') ? createEventStream(world.stderr) : null;
  const styles = createStyles(world.stderr, world.env, isPlain);
  let hasReported = false;
  const report: Output['report'] = (document, text) => {
    // A second document would make stdout unreadable for programs; what fails after the report is told on stderr.
    if (hasReported) return;
    hasReported = true;
    onDocument(document);
    world.stdout.write(isJson ? `${JSON.stringify(document, null, 2)}\n` : text(createStyles(world.stdout, world.env, isPlain)));
  };
  return {
    isJson,
    styles,
    report,
    fail: (command, thrown, exit = exitOf(thrown)) => {
      const document = failureDoc(command, thrown);
      const errors = document.errors ?? [document.error];
      events?.fail(command, errors);
      if (isJson && !hasReported) report(document, () => '');
      else {
        if (!hasReported) onDocument(document);
        if (events === null) world.stderr.write(errorsText(errors, styles));
      }
      return exit;
    },
    say: (line) => {
      if (events === null) world.stderr.write(`${line}\n`);
      else events.print(line);
    },
  };
}

/** The document of a run that never began. */
export function failureDoc(command: string, thrown: unknown): FailureDoc {
  const errors = thrown instanceof Failures ? thrown.failures.map((failure) => failure.toData()) : [];
  return { schema: 1, ok: false, command, error: toErrorData(thrown), ...(errors.length > 1 && { errors }) };
}

/** Several failures are told together only before the first request, so a plan mistake among them decides. */
function exitOf(thrown: unknown): number {
  const failures = thrown instanceof Failures ? thrown.failures : thrown instanceof Failure ? [thrown] : [];
  const codes = failures.map((failure) => errorTable[failure.code].exit);
  return codes.find((code) => code === 2) ?? codes.find((code) => code === 3) ?? 1;
}
