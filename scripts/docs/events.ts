import type { StreamEvent } from '../../src/report/event-stream.ts';
import { eventVersion } from '../../src/report/event-stream.ts';
import { generatedNote, markdownTable, page } from './markdown.ts';

type Type = StreamEvent['type'];
type Of<T extends Type> = Extract<StreamEvent, { readonly type: T }>;

interface Described<T extends Type> {
  readonly doc: string;
  /** Every field of the event: the compiler asks for one that is missing here. */
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

/** What each event means: a table of the types that the program itself uses. */
export const described: { readonly [T in Type]: Described<T> } = {
  run: {
    doc: 'The run as a whole begins, or waits for something.',
    fields: {
      state: '`begun` when its lines begin; `waiting` for as long as another run holds the scope.',
      detail: 'What it waits for, and until when at the latest.',
      run: 'Its id, as in the receipt, where it begins.',
      lines: 'How many lines it has, where it begins.',
    },
    example: { type: 'run', state: 'begun', run: '4f2a9c1be07d', lines: 2 },
  },
  lines: {
    doc: 'The lines of the run, before the first of them starts. `--closed` tells it for each scope, and there names begin with the scope.',
    fields: {
      lines: 'In the order of the plan: `id`, `after` (the lines that it comes after), `adapter`, `op`, and `recipe` where it has one.',
    },
    example: {
      type: 'lines',
      lines: [
        { id: 'db', after: [], adapter: 'neon', op: 'branch' },
        { id: 'callback', after: ['db'], adapter: 'http', op: 'list_item', recipe: 'auth0.callback_url' },
      ],
    },
  },
  line: {
    doc: 'A line comes to another state. The states are those of [its machine](machines/line.md); it has ended in `settled`, `planned`, `refused`, `failed`, `skipped`, `interrupted` and `paused`.',
    fields: {
      line: 'Its id.',
      from: 'The state before; empty for its first.',
      to: 'The state now.',
      event: 'What led to it: a name of the machine.',
    },
    example: { type: 'line', line: 'db', from: 'recordingIntent', to: 'creating', event: 'recordIntent.done' },
  },
  verdict: {
    doc: 'A line has been looked at, and this is what is to be done.',
    fields: {
      line: 'Its id.',
      verdict: 'As in `plan --json`.',
      why: 'The reason, in words.',
      drift: '`none`, `changed` outside, or `missing`.',
      driftLeft: '`true` where that stays as it is: the line says `drift: report`.',
      changes:
        'Fields that change, each with `before` and `after`, and `left` where others made the difference and it stays; a value only where it may be shown.',
      lock: 'The shared object whose list it is an entry of, or `null`.',
    },
    example: { type: 'verdict', line: 'db', verdict: 'create', why: 'it is not there', drift: 'none', changes: [db], lock: null },
  },
  wait: {
    doc: 'A line waits for something outside: that an object is ready, a deployment, the lock of a shared list. It is told again after each look.',
    fields: { line: 'Its id.', detail: 'What for, in words.' },
    example: { type: 'wait', line: 'db', detail: 'the branch is init' },
  },
  note: {
    doc: 'Something about a line that its states do not say.',
    fields: { line: 'Its id.', text: 'In words.' },
    example: { type: 'note', line: 'db', text: 'took over an earlier create' },
  },
  failure: {
    doc: 'Why a line fails, is refused or is skipped, before it comes to that state. The codes are in [errors.md](errors.md).',
    fields: { line: 'Its id.', error: '`code`, `summary`, `detail`, `fix`, and where there is one `place`.' },
    example: { type: 'failure', line: 'db', error: quota },
  },
  request: {
    doc: 'A request was answered, or its answer was lost.',
    fields: {
      line: 'The line that it was sent for; `null` where it serves several.',
      method: 'Its method.',
      url: 'Its address; secrets in it are masked.',
      status: 'The status of the answer; `null` where none came.',
      ms: 'How long it took.',
      attempt: '1, and more when it was sent again.',
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
    doc: 'A machine beside the lines comes to another state: [the coordinator](machines/coordinator.md), [a shared parent](machines/parent.md), [what waits until something is ready](machines/readiness.md).',
    fields: {
      machine: '`coordinator`, `parent` or `readiness`.',
      actor: 'Which one: the name of a lock, or the id of a line.',
      from: 'The state before; empty for its first.',
      to: 'The state now.',
      event: 'What led to it.',
    },
    example: { type: 'machine', machine: 'readiness', actor: 'db', from: 'looking', to: 'pausing', event: 'xstate.done.actor.look' },
  },
  message: {
    doc: 'A sentence for people: that a signal was received, or that something beside the run could not be done.',
    fields: { text: 'The sentence.' },
    example: { type: 'message', text: 'stopping: SIGINT was received; no new write is sent, and the ledger is written.' },
  },
  error: {
    doc: 'The command ends with these errors, and has no other report. With `--json` they are in its document as well.',
    fields: { command: 'The command.', errors: 'Each as in `failure`.' },
    example: { type: 'error', command: 'apply', errors: [quota] },
  },
};

/** `docs/events.md`: what `--events` tells, event by event. */
export function eventsPage(): string {
  return page(
    '# Events',
    generatedNote('src/report/event-stream.ts'),
    'With `--events`, `plan` and `apply` tell their progress on stderr for programs: one JSON object a line, in place of the progress for people. The report stays on stdout, with `--json` as one document.',
    `Each object has \`v\`, the version of this format (${eventVersion}; raised by a change that would break a reader), \`time\` (UTC, when it happened, and for what took \`ms\`, when it ended) and \`type\`. New types and fields may come without a new version: leave alone what you do not know. Secrets are in none of them. A plugin that prints to stderr stands between the lines.`,
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
