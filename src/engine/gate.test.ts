import { describe, expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import type { Writer } from '../ledger/writer/writer.ts';
import { createGate } from './gate.ts';

function gateAt(time: { now: number }) {
  const clock = { ...systemClock, mono: () => time.now };
  const stopping = new AbortController().signal;
  return createGate({ writer: {} as Writer, clock, deadlineMs: 30, stopping, beforeFirst: () => Promise.resolve() });
}

describe('how long a write without an answer may still land', () => {
  it('is one deadline from its send, and nothing once it is answered', () => {
    const time = { now: 100 };
    const gate = gateAt(time);
    const answered = gate.sent('callback');
    time.now = 110;
    const lost = gate.sent('callback');
    expect(gate.unansweredUntil()).toBe(140);
    lost(false);
    answered(true);
    expect(gate.unansweredUntil()).toBe(140);
  });

  it('is told of some lines apart from the others, so that the lock of one list does not wait for a write to another', () => {
    const gate = gateAt({ now: 100 });
    gate.sent('other');
    gate.sent('callback')(true);
    expect(gate.unansweredUntil(['callback'])).toBe(0);
    expect(gate.unansweredUntil(['other', 'callback'])).toBe(130);
    expect(gate.unansweredUntil()).toBe(130);
  });

  it('counts for every line where it is no one’s own', () => {
    const gate = gateAt({ now: 100 });
    gate.sent(null);
    expect(gate.unansweredUntil(['callback'])).toBe(130);
  });
});
