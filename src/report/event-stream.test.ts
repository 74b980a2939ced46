import { describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import { createEventStream } from './event-stream.ts';

function open() {
  let written = '';
  const events = createEventStream({ write: (text) => (written += text) }, () => Date.UTC(2026, 0, 2));
  return {
    events,
    lines: () => written.split('\n').slice(0, -1),
    told: () =>
      written
        .split('\n')
        .slice(0, -1)
        .map((text): unknown => JSON.parse(text)),
  };
}

describe('the stream of events', () => {
  it('is one JSON object a line, with version and time first', () => {
    const { events, lines } = open();
    events.listen({ type: 'line', line: 'db', from: 'waiting', to: 'creating', event: 'e', at: Date.UTC(2026, 0, 1) });
    expect(lines()).toEqual([
      '{"v":1,"time":"2026-01-01T00:00:00.000Z","type":"line","line":"db","from":"waiting","to":"creating","event":"e"}',
    ]);
  });

  it('holds messages and errors too, so that stderr needs nothing else', () => {
    const { events, told } = open();
    const error = new Failure('USAGE', { detail: 'Two\nlines.', fix: 'One.' }).toData();
    events.print('stopping');
    events.fail('plan', [error]);
    events.stop();
    const time = '2026-01-02T00:00:00.000Z';
    expect(told()).toEqual([
      { v: 1, time, type: 'message', text: 'stopping' },
      { v: 1, time, type: 'error', command: 'plan', errors: [JSON.parse(JSON.stringify(error))] },
    ]);
  });

  it('keeps text of several lines in one line of the stream', () => {
    const { events, lines } = open();
    events.listen({ type: 'note', line: 'db', text: 'a\nb\u2028c', at: 0 });
    expect(lines()).toHaveLength(1);
  });
});
