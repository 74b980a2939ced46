import type { Watched } from './observe.ts';

const posts = /dns_records$/;
const one = /dns_records\/./;

export type Scenario = (watched: Watched) => Promise<unknown>;

const quietly = (run: Promise<unknown>): void => void run.catch(() => undefined);

/** A run of the engine in the words of what happens to it. Whatever came before, the last run is undisturbed. */
export const scenarios: { readonly [says: string]: Scenario } = {
  'one apply, an apply of the same, and a destroy': async ({ computer }) => {
    await computer('A').apply();
    await computer('B').apply();
    await computer('The last run').destroy();
  },
  'a create whose answer is lost is looked for': async ({ computer, faults }) => {
    faults.loseAnswer({ method: 'POST', path: posts });
    await computer('A').apply();
    await computer('The last run').apply();
  },
  'a create that is lost on the way is sent again': async ({ computer, faults }) => {
    faults.hang({ method: 'POST', path: posts });
    await computer('A').apply();
    await computer('The last run').destroy();
  },
  'a run dies after its create left, and the next one waits, takes over and claims': async ({ computer, pass }) => {
    const a = computer('A');
    a.machine.slow({ method: 'POST', path: posts }, 100);
    a.machine.at('sent', 'POST', posts, () => void queueMicrotask(a.kill));
    quietly(a.apply());
    await a.machine.stopped;
    await pass(1);
    await computer('B').apply();
    await computer('The last run').apply();
  },
  'a run dies before its create is sent, and the next one makes it': async ({ computer }) => {
    const a = computer('A');
    a.machine.at('before', 'POST', posts, a.kill);
    quietly(a.apply());
    await a.machine.stopped;
    await computer('B').apply();
    await computer('The last run').destroy();
  },
  'a run dies before its create is sent, and a destroy ends its intent': async ({ computer }) => {
    const a = computer('A');
    a.machine.at('before', 'POST', posts, a.kill);
    quietly(a.apply());
    await a.machine.stopped;
    await computer('B').destroy();
    await computer('The last run').apply();
  },
  'a run is told to stop while its create is under way': async ({ computer, faults }) => {
    const a = computer('A');
    faults.hang({ method: 'POST', path: posts });
    a.machine.at('sent', 'POST', posts, () => void queueMicrotask(a.interrupt));
    await a.apply();
    await computer('B').destroy();
    await computer('The last run').apply();
  },
  'a run is told to stop before its create is sent': async ({ computer }) => {
    const a = computer('A');
    a.afterCommit(/intent/, a.interrupt);
    await a.apply();
    await computer('The last run').apply();
  },
  'a run is told to stop while it waits out a quiet moment': async ({ computer, pass }) => {
    const a = computer('A');
    a.machine.at('before', 'POST', posts, a.kill);
    quietly(a.apply());
    await a.machine.stopped;
    await pass(1);
    const b = computer('B');
    b.afterCommit(/takes over/, b.interrupt);
    await b.apply();
    await computer('The last run').destroy();
  },
  'a create that never arrives is given up': async ({ computer, faults }) => {
    faults.hang({ method: 'POST', path: posts }, 4);
    await computer('A').apply();
    faults.clear();
    await computer('The last run').apply();
  },
  'a run is told to stop and cannot see what its create made; the next one claims it': async ({ computer, faults }) => {
    const a = computer('A');
    faults.loseAnswer({ method: 'POST', path: posts });
    a.machine.at('sent', 'POST', posts, () => {
      faults.hang({ method: 'GET', path: posts }, 100);
      queueMicrotask(a.interrupt);
    });
    await a.apply();
    faults.clear();
    await computer('B').apply();
    await computer('The last run').apply();
  },
  'a second apply waits for the first': async ({ computer }) => {
    const a = computer('A');
    a.machine.slow({ method: 'POST', path: posts }, 100);
    const second = Promise.withResolvers<void>();
    a.machine.at('sent', 'POST', posts, () => queueMicrotask(second.resolve));
    const first = a.apply();
    await second.promise;
    await Promise.all([first, computer('B').apply()]);
    await computer('The last run').apply();
  },
  'a create arrives late and is a duplicate of what a person made': async ({ computer, person }) => {
    const a = computer('A');
    a.machine.slow({ method: 'POST', path: posts }, 100, { cut: true });
    a.machine.at('sent', 'POST', posts, () => queueMicrotask(person));
    await a.apply();
    await computer('The last run').apply();
  },
  'an older object gets the name after a run died with its intent': async ({ computer, older }) => {
    const rename = await older();
    const a = computer('A');
    a.machine.at('before', 'POST', posts, a.kill);
    quietly(a.apply());
    await a.machine.stopped;
    rename();
    await computer('B').apply();
    await computer('The last run').destroy();
  },
  'an object that a dead destroy removed is made again, and that run dies as well': async ({ applied, computer }) => {
    await applied();
    const a = computer('A');
    a.machine.at('after', 'DELETE', one, a.kill);
    quietly(a.destroy());
    await a.machine.stopped;
    const b = computer('B');
    b.machine.at('before', 'POST', posts, b.kill);
    quietly(b.apply());
    await b.machine.stopped;
    await computer('The last run').destroy();
  },
  'two applies at once': async ({ computer }) => {
    await Promise.all([computer('A').apply(), computer('B').apply()]);
    await computer('The last run').apply();
  },
  'an apply and a destroy at once': async ({ computer }) => {
    const a = computer('A');
    const { promise: stands, resolve } = Promise.withResolvers<void>();
    // A destroy of a scope that no run ever had is a mistake of the command line.
    a.afterCommit(/intent/, resolve);
    await Promise.all([a.apply(), stands.then(() => computer('B').destroy())]);
    await computer('The last run').destroy();
  },
  'a run that was suspended wakes when its lease is gone': async ({ computer, pass }) => {
    const a = computer('A');
    a.afterCommit(/intent/, () => a.machine.freeze());
    const ending = a.apply();
    await a.machine.stopped;
    await pass(1);
    await computer('B').apply();
    a.machine.thaw();
    await ending;
    await computer('The last run').apply();
  },
  'a run that was suspended with its create under way wakes when another has it': async ({ computer, pass }) => {
    const a = computer('A');
    a.machine.at('after', 'POST', posts, () => a.machine.freeze());
    const ending = a.apply();
    await a.machine.stopped;
    await pass(1);
    await computer('B').destroy();
    a.machine.thaw();
    await ending;
    await computer('The last run').apply();
  },
  'a person makes the object between the look and the create': async ({ computer, person }) => {
    const a = computer('A');
    a.machine.at('before', 'POST', posts, person);
    await a.apply();
    await computer('B').apply();
    await computer('The last run').destroy();
  },
  'a person makes the object after a run died with its intent': async ({ computer, person }) => {
    const a = computer('A');
    a.machine.at('before', 'POST', posts, a.kill);
    quietly(a.apply());
    await a.machine.stopped;
    person();
    await computer('B').apply();
    await computer('The last run').destroy();
  },
  'the provider refuses the create': async ({ computer, faults }) => {
    faults.once({ method: 'POST', path: posts }, 403, {});
    await computer('A').apply();
    await computer('The last run').apply();
  },
  'a destroy dies with its delete under way': async ({ computer }) => {
    await computer('A').apply();
    const b = computer('B');
    b.machine.slow({ method: 'DELETE', path: one }, 100);
    b.machine.at('sent', 'DELETE', one, () => void queueMicrotask(b.kill));
    quietly(b.destroy());
    await b.machine.stopped;
    await computer('The last run').apply();
  },
  'a delete whose answer is lost is sent again': async ({ computer, faults }) => {
    await computer('A').apply();
    faults.loseAnswer({ method: 'DELETE', path: one });
    await computer('B').destroy();
    await computer('The last run').apply();
  },
  'a destroy is told to stop while its delete is under way': async ({ computer, faults }) => {
    await computer('A').apply();
    const b = computer('B');
    faults.hang({ method: 'DELETE', path: one });
    b.machine.at('sent', 'DELETE', one, () => void queueMicrotask(b.interrupt));
    await b.destroy();
    await computer('The last run').apply();
  },
};

/**
 * Outside of the model and of what is promised: the machine stands still between the check of its lease and the network, for
 * longer than the lease. A request counts from its check, and no clock of the sender can call this one back.
 */
export const suspendedBehindTheCheck: Scenario = async ({ computer, pass }) => {
  const a = computer('A');
  a.machine.at('before', 'POST', posts, () => a.machine.freeze());
  const ending = a.apply();
  await a.machine.stopped;
  await pass(1);
  await computer('B').apply();
  a.machine.thaw();
  await ending;
};
