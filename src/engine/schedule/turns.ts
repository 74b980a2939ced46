import type { Session } from '../session.ts';

const lasts = new WeakMap<Session, Map<string, Promise<void>>>();

/** Lines of one run write to one object one after the other, whatever they write with. Resolves to the function that ends the turn. */
export async function enterTurn(session: Session, name: string): Promise<() => void> {
  const ofRun = lasts.get(session) ?? new Map<string, Promise<void>>();
  lasts.set(session, ofRun);
  const before = ofRun.get(name);
  const { promise, resolve } = Promise.withResolvers<void>();
  ofRun.set(name, promise);
  await before;
  return resolve;
}

export async function inTurn<T>(session: Session, name: string, work: () => Promise<T>): Promise<T> {
  const leave = await enterTurn(session, name);
  try {
    return await work();
  } finally {
    leave();
  }
}
