import { errorTable } from '../core/error-table.ts';
import { Failure, Failures, toErrorData } from '../core/errors.ts';
import { Redactor } from '../core/redact.ts';
import type { Shape } from '../core/shape.ts';
import type { FailureDoc } from '../engine/document.ts';
import { maskEnvironment } from '../engine/prepare/secret-variables.ts';
import { documentShape } from '../engine/shapes.ts';
import { errorsText } from '../report/errors-text.ts';
import { createEventStream } from '../report/event-stream.ts';
import { createStyles, type Styles } from '../report/styles.ts';
import type { CliWorld } from './world.ts';

/**
 * The command line prints one report on stdout, as text or as one JSON document, and everything else on stderr. All output goes through
 * this interface, which masks it: documents by their shape before they become text, everything else as text.
 */
export interface Output {
  readonly isJson: boolean;
  /** Knows every secret of this process. */
  readonly redactor: Redactor;
  /** The colours of stderr. */
  readonly styles: Styles;
  /** Prints the one report of this process, and returns the masked document. The text comes from the masked document. */
  report<T extends { readonly ok: boolean }>(document: T, text: (document: T, styles: Styles) => string, shape?: Shape): T;
  /** Makes the document of a thrown error. */
  failure(command: string, thrown: unknown): FailureDoc;
  /** Reports a thrown error and returns the exit code. */
  fail(command: string, thrown: unknown, exit?: number): number;
  /** Prints one line for people on stderr. */
  say(line: string): void;
}

/**
 * Looks for `--json`, `--events` and `--no-color` in the raw command line, so that a mistyped flag is reported in the requested form.
 * `onDocument` gets the report in every form, or the reason why there is none.
 */
export function createOutput(
  world: Pick<CliWorld, 'stdout' | 'stderr' | 'env' | 'redactor'>,
  argv: readonly string[],
  onDocument: (document: { readonly ok: boolean }) => void = () => undefined,
): Output {
  const rest = argv.indexOf('--');
  const typed = rest < 0 ? argv : argv.slice(0, rest);
  const isJson = typed.some((token) => token === '--json' || token.startsWith('--json='));
  const isPlain = typed.includes('--no-color');
  const events = typed.includes('--events') ? createEventStream(world.stderr) : null;
  const styles = createStyles(world.stderr, world.env, isPlain);
  const redactor = world.redactor ?? new Redactor();
  maskEnvironment(redactor, world.env);
  let hasReported = false;
  const report: Output['report'] = (document, text, shape = documentShape) => {
    const told = redactor.document(document, shape);
    // A second document would make stdout unreadable for programs. A failure after the report goes to stderr.
    if (hasReported) return told;
    hasReported = true;
    onDocument(told);
    world.stdout.write(isJson ? `${JSON.stringify(told, null, 2)}\n` : text(told, createStyles(world.stdout, world.env, isPlain)));
    return told;
  };
  const failure: Output['failure'] = (command, thrown) => redactor.document(failureDoc(command, thrown), documentShape);
  return {
    isJson,
    redactor,
    styles,
    report,
    failure,
    fail: (command, thrown, exit = exitOf(thrown)) => {
      const document = failure(command, thrown);
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
      const told = redactor.text(line);
      if (events === null) world.stderr.write(`${told}\n`);
      else events.print(told);
    },
  };
}

/** The document of a run that never began. */
function failureDoc(command: string, thrown: unknown): FailureDoc {
  const errors = thrown instanceof Failures ? thrown.failures.map((failure) => failure.toData()) : [];
  return { schema: 1, ok: false, command, error: toErrorData(thrown), ...(errors.length > 1 && { errors }) };
}

/** Several failures come together only before the first request, so a mistake in the plan decides the exit code. */
function exitOf(thrown: unknown): number {
  const failures = thrown instanceof Failures ? thrown.failures : thrown instanceof Failure ? [thrown] : [];
  const codes = failures.map((failure) => errorTable[failure.code].exit);
  return codes.find((code) => code === 2) ?? codes.find((code) => code === 3) ?? 1;
}
