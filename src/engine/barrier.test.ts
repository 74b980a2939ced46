import fc from 'fast-check';
import { expect, it } from 'vitest';
import { intent, later, now, record, scope } from '../../test/support/writer-scope.ts';
import { Barrier, type Crew } from './barrier.ts';

const ids = ['a', 'b', 'c', 'd'];
type Place = 'working' | 'polling' | 'idle' | 'final' | 'left';

/** A line, or the clock, moves on. */
const moves = fc.oneof(
  fc.record({
    kind: fc.constantFrom('enter' as const),
    line: fc.nat(3),
    to: fc.constantFrom<Place>('working', 'polling', 'idle', 'final'),
  }),
  fc.record({
    kind: fc.constantFrom('leave' as const, 'hold' as const, 'resume' as const, 'intent' as const, 'record' as const),
    line: fc.nat(3),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(20_000) }),
);

/** The test keeps beside the barrier where each line is, and whether it waits for the ledger. */
class Known {
  readonly places = new Map<string, Place>(ids.map((id) => [id, 'idle']));
  readonly held = new Set<string>();

  mayAddFact(isYoung: boolean): boolean {
    return [...this.places].some(([id, place]) => !this.held.has(id) && (place === 'working' || (isYoung && place === 'polling')));
  }
}

function act(crew: Crew, barrier: Barrier, known: Known, kind: 'leave' | 'hold' | 'resume', id: string): void {
  const place = known.places.get(id);
  if (kind === 'leave') {
    known.places.set(id, 'left');
    known.held.delete(id);
    crew.leave(id);
  } else if (kind === 'hold') {
    if (place === 'working' || place === 'polling') known.held.add(id);
    barrier.hold(id, { isLast: false });
  } else {
    known.held.delete(id);
    barrier.resume(id);
  }
}

it('a fact is pushed when, and only when, nobody who is at work could add another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moves, { maxLength: 40 }), async (steps) => {
      const at = scope();
      const barrier = new Barrier(at.clock);
      const { writer } = await at.begun('a', { workers: barrier, durationMs: 10_000_000 });
      const crew = barrier.begin({ ids, position: () => null, outdate: () => undefined });
      const began = at.clock.mono();
      const known = new Known();
      const owed = { urgent: 0, all: 0 };
      let facts = 0;
      crew.started();
      for (const step of steps) {
        const before = at.commits().length;
        const id = 'line' in step ? (ids[step.line] ?? '') : '';
        if (step.kind === 'wait') {
          await at.clock.advance(step.ms);
          barrier.tell();
        } else if (step.kind === 'enter') {
          if (known.places.get(id) === 'left') continue;
          known.places.set(id, step.to);
          known.held.delete(id);
          crew.enter(id, { isAtWork: step.to === 'working', isPolling: step.to === 'polling', isFinal: step.to === 'final' });
        } else if (step.kind === 'intent' || step.kind === 'record') {
          facts += 1;
          const isUrgent = step.kind === 'intent';
          writer.submit([isUrgent ? intent(facts, 'a') : record(facts, 'a')], isUrgent ? now : later).catch(() => undefined);
          owed.all += 1;
          owed.urgent += isUrgent ? 1 : 0;
        } else act(crew, barrier, known, step.kind, id);
        const isDue = owed.urgent > 0 && !known.mayAddFact(at.clock.mono() - began < 30_000);
        await at.clock.advance(0);
        expect(at.commits().length - before, JSON.stringify(step)).toBe(isDue ? 1 : 0);
        if (isDue) Object.assign(owed, { urgent: 0, all: 0 });
      }
      writer.close();
    }),
    { numRuns: 200 },
  );
});

it('lines that another start has outdated count no more', () => {
  const barrier = new Barrier(scope().clock);
  let told = 0;
  const old = barrier.begin({ ids, position: () => null, outdate: () => undefined });
  old.started();
  old.enter('a', { isAtWork: true, isPolling: false, isFinal: false });
  expect(barrier.isQuiet()).toBe(false);
  const next = barrier.begin({ ids: ['a'], position: () => null, outdate: () => undefined });
  barrier.watch(() => {
    told += 1;
  });
  expect(barrier.isQuiet()).toBe(false);
  next.started();
  expect([barrier.isQuiet(), told]).toEqual([true, 1]);
  old.enter('a', { isAtWork: true, isPolling: false, isFinal: false });
  expect([barrier.isQuiet(), told]).toEqual([true, 1]);
});

it('a wait aside does not count as at work, and the line is at work again however it ends', async () => {
  const barrier = new Barrier(scope().clock);
  const crew = barrier.begin({ ids: ['a'], position: () => null, outdate: () => undefined });
  crew.started();
  crew.enter('a', { isAtWork: true, isPolling: false, isFinal: false });
  const gate = Promise.withResolvers<void>();
  const waiting = barrier.aside('a', () => gate.promise);
  expect(barrier.isQuiet()).toBe(true);
  gate.reject(new Error('no'));
  await expect(waiting).rejects.toThrow('no');
  expect(barrier.isQuiet()).toBe(false);
});
