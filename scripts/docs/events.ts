import type { StreamEvent } from '../../src/report/event-stream.ts';
import { eventVersion } from '../../src/report/event-stream.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

type Type = StreamEvent['type'];
type Of<T extends Type> = Extract<StreamEvent, { readonly type: T }>;

interface Described<T extends Type> {
  readonly doc: string;
  /** Every field of the event. A missing field does not compile. */
  readonly fields: { readonly [field in Exclude<keyof Of<T>, 'type'>]-?: string };
  readonly example: Of<T>;
}

const db = { field: 'name', before: { state: 'absent' }, after: { state: 'literal', value: 'app-pr-12' } } as const;
const quota = {
  code: 'PROVIDER_QUOTA',
  summary: 'A limit of the provider is reached',
  detail: 'The project has 10 branches.',
  fix: 'Delete one of them.',
} as const;

/** The meaning of each event, by the types that the program itself uses. */
export const described: { readonly [T in Type]: Described<T> } = {
  run: {
    doc: 'The run as a whole begins, or waits for something.',
    fields: {
      state: '`begun` when its lines begin; `waiting` for as long as another run holds the scope.',
      detail: 'The reason of the wait, and its latest end.',
      run: 'The id of the run, as in the receipt; present when it begins.',
      lines: 'The number of its lines; present when it begins.',
    },
    example: { type: 'run', state: 'begun', run: '4f2a9c1be07d', lines: 2 },
  },
  lines: {
    doc: 'The lines of the run, before the first of them starts. `--closed` sends this event once per scope, and names then begin with the scope. `--prune` sends another one for the orphans.',
    fields: {
      lines:
        'The lines in the order of the plan: `id`, `after` (the lines before it), `adapter`, `op`, `recipe` if it has one, and `subject`, which names the object for people.',
    },
    example: {
      type: 'lines',
      lines: [
        { id: 'db', after: [], adapter: 'neon', op: 'branch', subject: 'pr-12 of quiet-river-12345678' },
        { id: 'callback', after: ['db'], adapter: 'http', op: 'list_item', recipe: 'auth0.callback_url' },
      ],
    },
  },
  line: {
    doc: 'A line enters another state. The states are those of [its machine](machines/line.md). The line has ended in `settled`, `planned`, `refused`, `failed`, `skipped`, `interrupted` and `paused`.',
    fields: {
      line: 'Its id.',
      from: 'The state before; empty for its first.',
      to: 'The state now.',
      event: 'The event of the machine that led to it.',
      because: 'Of a line that a failed or waiting line ended before its turn: the id of that line.',
    },
    example: { type: 'line', line: 'db', from: 'recordingIntent', to: 'creating', event: 'recordIntent.done' },
  },
  verdict: {
    doc: 'The run has looked at a line and decided what to do.',
    fields: {
      line: 'Its id.',
      subject: 'Names the object for people, with the values that are known by now.',
      verdict: 'As in `plan --json`.',
      why: 'The reason, in words.',
      drift: '`none`, `changed` outside, or `missing`.',
      driftLeft: '`true` when the drift stays as it is, because the line says `drift: report`.',
      changes:
        'The fields that change, each with `before` and `after`, and with `left` when others made the difference and it stays. A value is present only if it may be shown.',
      lock: 'The shared object whose list has the line as an entry, or `null`.',
    },
    example: { type: 'verdict', line: 'db', verdict: 'create', why: 'it is not there', drift: 'none', changes: [db], lock: null },
  },
  wait: {
    doc: 'A line waits for something outside: an object that is not ready, a deployment, the lock of a shared list. The event comes again after each look.',
    fields: { line: 'Its id.', detail: 'The reason of the wait, in words.' },
    example: { type: 'wait', line: 'db', detail: 'the branch is init' },
  },
  note: {
    doc: 'A fact about a line that its states do not show.',
    fields: { line: 'Its id.', text: 'In words.' },
    example: { type: 'note', line: 'db', text: 'took over an earlier create' },
  },
  failure: {
    doc: 'The reason why a line fails or is refused. A line that is skipped has no failure of its own: its `line` event names the failed one under `because`. It comes before the line enters that state. The codes are in [errors.md](errors.md).',
    fields: { line: 'Its id.', error: '`code`, `summary`, `detail`, `fix`, and `place` if there is one.' },
    example: { type: 'failure', line: 'db', error: quota },
  },
  request: {
    doc: 'A request got its answer, or the answer was lost.',
    fields: {
      line: 'The line of the request; `null` if it serves several lines.',
      method: 'Its method.',
      url: 'The address of the request. Secrets in it are masked.',
      status: 'The status of the answer; `null` if none came.',
      ms: 'The time it took.',
      attempt: '1, and more for a retry.',
    },
    example: {
      type: 'request',
      line: 'db',
      method: 'POST',
      url: 'https://console.neon.tech/api/v2/projects/p1/branches',
      status: 201,
      ms: 412,
      attempt: 1,
    },
  },
  ledger: {
    doc: 'The ledger was read or written at the remote.',
    fields: { what: '`fetch` or `push`.', ms: 'How long it took.' },
    example: { type: 'ledger', what: 'push', ms: 230 },
  },
  machine: {
    doc: 'Another machine enters another state: [the coordinator](machines/coordinator.md), [a shared parent](machines/parent.md), or [the wait until an object is ready](machines/readiness.md).',
    fields: {
      machine: '`coordinator`, `parent` or `readiness`.',
      actor: 'The name of the machine: the name of a lock, or the id of a line.',
      from: 'The state before; empty for its first.',
      to: 'The state now.',
      event: 'The event that led to it.',
    },
    example: { type: 'machine', machine: 'readiness', actor: 'db', from: 'looking', to: 'pausing', event: 'xstate.done.actor.look' },
  },
  message: {
    doc: 'A sentence for people, about a signal, or about a failure outside the run.',
    fields: { text: 'The sentence.' },
    example: { type: 'message', text: 'stopping on SIGINT: the run sends no new write, and writes the ledger.' },
  },
  error: {
    doc: 'The command ends with these errors, and has no other report. With `--json` its document has them too.',
    fields: { command: 'The command.', errors: 'The errors, each as in `failure`.' },
    example: { type: 'error', command: 'apply', errors: [quota] },
  },
};

/** `docs/events.md`: the events of `--events`, one by one. */
export function eventsPage(): string {
  return page(
    '# Events',
    generatedNote('src/report/event-stream.ts'),
    'With `--events`, `plan` and `apply` write their progress to stderr for programs: one JSON object per line, instead of the progress for people. The report stays on stdout, with `--json` as one document.',
    `Each object has \`v\`, the version of this format (${eventVersion}; a change that would break a reader raises it), \`time\` (UTC, the moment of the event; its end if it took \`ms\`) and \`type\`. New types and fields may come without a new version: ignore what you do not know. No event holds a secret. A plugin that prints to stderr puts its text between the lines.`,
    ...Object.entries(described).map(([type, { doc, fields, example }]) =>
      [
        `## ${type}`,
        doc,
        markdownTable(
          ['Field', 'Meaning'],
          Object.entries(fields).map(([name, meaning]) => [`\`${name}\``, String(meaning)]),
        ),
        `\`\`\`json\n${JSON.stringify({ v: eventVersion, time: '2026-11-21T20:33:01.000Z', ...example })}\n\`\`\``,
      ].join('\n\n'),
    ),
  );
}
