import type { RunEvent } from '../engine/document.ts';
import { subjectText } from './line-words.ts';
import type { Progress } from './progress-board.ts';
import type { LiveScreen } from './progress-live.ts';
import type { Styles } from './styles.ts';
import { oneLine, showTime } from './text.ts';
import { hasEnded, isQuiet, stateWords } from './verdicts.ts';

/**
 * Writes one line of text for each change that matters to a reader of a log, and a repeated wait once. All lines of one turn of the event
 * loop are one write: many lines of a plan go on at once, and each write is a system call.
 */
export function createPlainProgress({ stream, styles, now }: { stream: LiveScreen; styles: Styles; now: () => number }): Progress {
  const start = now();
  const said = new Map<string, string>();
  /** The reason why each line failed. A failure event comes before the change of state. */
  const reasons = new Map<string, string>();
  const subjects = new Map<string, string>();
  let unwritten = '';
  const write = (): void => {
    if (unwritten !== '') stream.write(unwritten);
    unwritten = '';
  };
  const print = (text: string): void => {
    if (unwritten === '') setImmediate(write);
    unwritten += `${styles.paint('quiet', `[${showTime(now() - start).padStart(7)}]`)} ${text}\n`;
  };
  return {
    print: (line) => {
      write();
      stream.write(`${line}\n`);
    },
    stop: write,
    listen: (event) => {
      if (event.type === 'failure') reasons.set(event.line, `${event.error.code}: ${oneLine(event.error.detail)}`);
      if (event.type === 'lines') for (const line of event.lines) subjects.set(line.id, subjectText(line));
      if (event.type === 'verdict' && event.subject !== undefined) subjects.set(event.line, subjectText(event));
      const text = sentence(event, { reasons, subjects });
      if (text === null) return;
      const key = event.type === 'wait' ? `wait ${event.line}` : null;
      if (key !== null && said.get(key) === text) return;
      if (key !== null) said.set(key, text);
      print(text);
    },
  };
}

interface Known {
  readonly reasons: ReadonlyMap<string, string>;
  readonly subjects: ReadonlyMap<string, string>;
}

function sentence(event: RunEvent, { reasons, subjects }: Known): string | null {
  switch (event.type) {
    case 'line': {
      if (isQuiet(event.to)) return null;
      const waits = event.because === undefined ? undefined : `waits for ${event.because}`;
      const reason = hasEnded(event.to) ? (reasons.get(event.line) ?? waits) : undefined;
      const subject = hasEnded(event.to) ? '' : (subjects.get(event.line) ?? '');
      return `${event.line}: ${stateWords(event.to)}${subject && ` ${subject}`}${reason === undefined ? '' : `: ${reason}`}`;
    }
    case 'note':
      return `${event.line}: ${oneLine(event.text)}`;
    case 'wait':
      return `${event.line}: waits: ${oneLine(event.detail)}`;
    case 'run':
      return event.detail ? `${stateWords(event.state)}: ${oneLine(event.detail)}` : null;
    case 'request': {
      if (event.attempt <= 1) return null;
      const answer = event.status === null ? 'no answer' : String(event.status);
      return `${event.line === null ? '' : `${event.line}: `}${event.method} ${oneLine(event.url)}: ${answer} on attempt ${event.attempt}`;
    }
    case 'ledger':
    case 'lines':
    case 'machine':
    case 'verdict':
    case 'failure':
      return null;
  }
}
