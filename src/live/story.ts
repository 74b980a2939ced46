import type { ErrorData } from '../core/errors.ts';
import { counted } from '../report/text.ts';
import { answeredBody, sentBody } from './body.ts';
import { differencesOf, type Seen, seenBy } from './compare.ts';
import type { StepDoc, StepName } from './document.ts';
import { editsOf } from './edits.ts';
import { formOf, isRead, lookOf, type Names } from './form.ts';
import type { Ground } from './ground.ts';
import { type LiveLine, lineId } from './live-line.ts';
import type { Applied, Runs } from './runs.ts';
import type { Passed, Tap } from './tap.ts';

export interface StoryOptions {
  readonly live: LiveLine;
  readonly runs: Runs;
  readonly ground: Ground;
  readonly tap: Tap;
  /** The scope of each of the two objects. */
  readonly scopes: readonly [first: string, second: string];
  readonly namesFor: (scope: string) => Names;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** What a proof saw. */
export interface Told {
  readonly steps: readonly StepDoc[];
  /** Body of the first write, and what was read after it. */
  readonly written: { readonly sent: unknown; readonly answered: readonly unknown[] } | null;
  readonly error: ErrorData | null;
}

/** A step did not hold, and what comes after it would say nothing. */
class Over extends Error {}

/**
 * Proves one operation: an object is made, looked at, changed by others, put back and removed; then a second one, whose create loses its
 * answer. Every step tells what it saw. The caller removes what a story that ends early leaves.
 */
export class Story {
  readonly #o: StoryOptions;
  readonly #steps: StepDoc[] = [];
  /** Requests of plans, which only read. */
  readonly #looks = new Set<string>();
  #written: Told['written'] = null;
  #error: ErrorData | null = null;

  constructor(options: StoryOptions) {
    this.#o = options;
  }

  get told(): Told {
    return { steps: this.#steps, written: this.#written, error: this.#error };
  }

  async tell(): Promise<void> {
    const { live, scopes } = this.#o;
    const [first, second] = scopes;
    try {
      const before = await this.#look('look', first);
      await this.#create(first);
      await this.#again('again', first);
      await this.#edited(first);
      const isGone = await this.#destroy('destroy', first);
      if (isGone) await this.#compare('compare', first, before);
      if (live.op.kind === 'wait') return this.#leaveOut('lose the answer', 'it makes nothing whose answer could be lost');
      if (!isGone) return this.#leaveOut('lose the answer', 'the first object is left where it is, and this would leave a second one');
      const stood = await this.#look('look again', second);
      await this.#lose(second);
      await this.#again('unchanged', second);
      if (await this.#destroy('destroy again', second)) await this.#compare('compare again', second, stood);
    } catch (thrown) {
      if (!(thrown instanceof Over)) throw thrown;
    }
  }

  #tell(step: StepName, scope: string, isHeld: boolean, finding: string, o: { passed: readonly Passed[]; error?: ErrorData | null }): void {
    const names = this.#o.namesFor(scope);
    const error = o.error ?? null;
    if (!isHeld) this.#error ??= error;
    const result = isHeld ? 'held' : 'not held';
    const requests = o.passed.map((one) => formOf(one, names));
    this.#steps.push({ step, result, finding, ...(error && { code: error.code }), requests });
    this.#o.say(`${result === 'held' ? 'held    ' : 'NOT HELD'}  ${step}: ${finding}`);
  }

  #leaveOut(step: StepName, why: string): void {
    this.#steps.push({ step, result: 'left out', finding: why, requests: [] });
    this.#o.say(`left out  ${step}: ${why}`);
  }

  /** Ends the story where what follows would say nothing. */
  #must(isHeld: boolean): void {
    if (!isHeld) throw new Over();
  }

  /** Nothing of this name may stand: the engine never touches what it did not make, and a proof needs a name of its own. */
  async #look(step: StepName, scope: string): Promise<Seen> {
    const { kind } = this.#o.live.op;
    const { line, passed, error } = await this.#o.runs.plan(scope, { signal: this.#o.signal });
    for (const one of passed) this.#looks.add(lookOf(one));
    const isFree = error === null && (kind === 'wait' || line?.verdict === 'create' || kind === 'action');
    const finding = isFree
      ? 'nothing of this name stands'
      : error === null
        ? `the plan says ${line?.verdict ?? 'nothing'}, so something of this name stands`
        : `the plan ended with ${error.code}`;
    this.#tell(step, scope, isFree, kind === 'wait' && isFree ? 'the look succeeded' : finding, { passed, error });
    this.#must(isFree);
    return seenBy(passed);
  }

  async #create(scope: string): Promise<void> {
    const { runs, signal } = this.#o;
    const applied = await runs.apply(scope, { signal });
    const { passed, error } = applied;
    const isDone = isComplete(applied);
    const writes = this.#writesOf(passed);
    this.#tell('create', scope, isDone, isDone ? `complete, with ${counted(writes.length, 'write')}` : ended(applied), { passed, error });
    const [first] = writes;
    if (first) {
      const later = passed.slice(passed.indexOf(first)).filter(({ answer }) => answer.status < 300);
      this.#written = { sent: sentBody(first), answered: later.map(answeredBody) };
    }
    this.#must(isDone);
  }

  /** A second apply writes nothing. The answers of its reads show how the service spells what was sent. */
  async #again(step: StepName, scope: string): Promise<void> {
    const { runs, signal } = this.#o;
    const applied = await runs.apply(scope, { signal });
    const { doc, passed, error } = applied;
    const isHeld = isComplete(applied) && doc.stats.writes === 0;
    const finding = isComplete(applied)
      ? `${counted(doc.stats.writes, 'write')}${isHeld ? '' : `; the apply said ${applied.line?.verdict}, for ${fieldsOf(applied)}`}`
      : ended(applied);
    this.#tell(step, scope, isHeld, finding, { passed, error });
    if (step === 'again' && this.#written) {
      this.#written = { ...this.#written, answered: [...this.#written.answered, ...passed.map(answeredBody)] };
    }
  }

  /** Changes the object as a person would: beside the ledger, with a request of the operation's own. */
  async #edited(scope: string): Promise<void> {
    const { kind } = this.#o.live.op;
    if (kind === 'action' || kind === 'wait') return this.#leaveOut('edit', `an operation of the kind ${kind} leaves nothing to edit`);
    const isEdited = (await this.#changeByHand(scope)) || (kind === 'item' && (await this.#takeAway(scope)));
    if (!isEdited) return this.#leaveOut('edit', 'no value of this line can be changed in place');
    const { runs, signal } = this.#o;
    const seen = await runs.plan(scope, { signal });
    const isSeen = seen.error === null && seen.line !== null && seen.line.drift !== 'none';
    const fields = seen.line?.changes.map(({ field }) => field) ?? [];
    const what = isSeen
      ? `the plan tells the drift (${seen.line?.drift}${fields.length > 0 ? `: ${fields.join(', ')}` : ''})`
      : ended(seen);
    this.#tell('drift', scope, isSeen, isSeen || seen.error ? what : 'the plan does not see the edit', seen);
    const put = await runs.apply(scope, { signal });
    const after = await runs.plan(scope, { signal });
    const isBack = isComplete(put) && after.error === null && after.line?.verdict === 'none';
    const finding = isBack
      ? `${counted(put.doc.stats.writes, 'write')}, and the next plan changes nothing`
      : isComplete(put)
        ? `the next plan still says ${after.line?.verdict ?? after.error?.code} for ${fieldsOf(after)}`
        : ended(put);
    this.#tell('put back', scope, isBack, finding, { passed: [...put.passed, ...after.passed], error: put.error ?? after.error });
  }

  async #changeByHand(scope: string): Promise<boolean> {
    const { live, ground, runs, signal } = this.#o;
    for (const edit of [...editsOf(live)].slice(0, mostTries)) {
      ground.write(live.plan(edit.line));
      try {
        // A value that the operation refuses is no edit, and no request was sent for it.
        const plan = await runs.plan(scope, { signal }).catch((thrown: unknown) => {
          signal.throwIfAborted();
          if (thrown instanceof Error) return null;
          throw thrown;
        });
        if (plan === null || plan.error !== null || plan.line?.verdict !== 'update') continue;
        const edited = await ground.aside(() => runs.apply(scope, { signal }));
        const isDone = isComplete(edited);
        // The service refuses the value, or answers with a success and does not keep it: that is no edit.
        if (!isDone && isRefusal.test(edited.error?.code ?? '')) continue;
        this.#tell('edit', scope, isDone, isDone ? `${edit.what} was changed beside the ledger` : ended(edited), edited);
        return isDone;
      } finally {
        ground.write(live.plan());
      }
    }
    return false;
  }

  /** An entry of a list without further values: somebody takes it away. */
  async #takeAway(scope: string): Promise<boolean> {
    const { ground, runs, signal } = this.#o;
    const removed = await ground.aside(() => runs.apply(scope, { signal, destroy: true }));
    const isDone = isComplete(removed);
    this.#tell('edit', scope, isDone, isDone ? 'the entry was taken away beside the ledger' : ended(removed), removed);
    return isDone;
  }

  /** Returns whether nothing of it is left. */
  async #destroy(step: StepName, scope: string): Promise<boolean> {
    const { runs, signal, live } = this.#o;
    const removed = await runs.apply(scope, { signal, destroy: true });
    const isDone = isComplete(removed);
    const stays = staysOf(live);
    const what = stays ? 'the record is gone, and the object is left, as the operation says' : 'complete';
    this.#tell(step, scope, isDone, isDone ? `${what}, with ${counted(removed.doc.stats.writes, 'write')}` : ended(removed), removed);
    this.#must(isDone);
    return !stays;
  }

  async #compare(step: StepName, scope: string, before: Seen): Promise<void> {
    const { runs, signal, live } = this.#o;
    if (live.op.kind === 'action' || live.op.kind === 'wait') return this.#leaveOut(step, 'no object of it can be read');
    const { line, passed, error } = await runs.plan(scope, { signal });
    const { changed, wentOn } = differencesOf(before, seenBy(passed), scope);
    const isGone = error === null && line?.verdict === 'create';
    const isHeld = isGone && changed.length === 0;
    const finding = !isGone
      ? `the plan says ${line?.verdict ?? error?.code} after the destroy`
      : changed.length > 0
        ? `other than before: ${changed.join(', ')}`
        : `as before${wentOn.length > 0 ? `, but for ${wentOn.join(', ')}` : ''}`;
    this.#tell(step, scope, isHeld, finding, { passed, error });
  }

  /** The service makes the object and its answer is lost. There must be one object in the end. */
  async #lose(scope: string): Promise<void> {
    const { runs, signal, tap } = this.#o;
    const wasLost = tap.loseAnswer((passed) => passed.answer.status < 300 && !isRead(passed, this.#looks));
    let applied = await runs.apply(scope, { signal });
    const passed = [...applied.passed];
    let runsNeeded = 1;
    while (!isComplete(applied) && runsNeeded < 3) {
      // A value that only the lost answer showed needs a new object, as the error says.
      const recreate = applied.error?.code === 'OUTPUT_UNAVAILABLE' ? [lineId] : [];
      applied = await runs.apply(scope, { signal, recreate });
      passed.push(...applied.passed);
      runsNeeded += 1;
    }
    const lost = passed.find(({ isLost }) => isLost);
    const same = lost ? passed.filter((one) => lookOf(one) === lookOf(lost) && one.method === lost.method && one.body === lost.body) : [];
    const isHeld = wasLost() && isComplete(applied);
    const finding = !wasLost()
      ? 'no write of it was answered'
      : isComplete(applied)
        ? `complete in ${counted(runsNeeded, 'run')}; the request was sent ${same.length === 1 ? 'once' : `${same.length} times`}`
        : ended(applied);
    this.#tell('lose the answer', scope, isHeld, finding, { passed, error: isHeld ? null : applied.error });
    this.#must(isComplete(applied));
  }

  #writesOf(passed: readonly Passed[]): readonly Passed[] {
    return passed.filter((one) => !isRead(one, this.#looks));
  }
}

const isRefusal = /^PROVIDER_(?:INVALID|RESPONSE)$/;

/** Plans for an edit that is tried: each is a read or two. */
const mostTries = 16;

/** Whether a destroy leaves the object: the operation cannot delete it, or the line keeps it. */
export const staysOf = ({ op, line }: Pick<LiveLine, 'op' | 'line'>): boolean =>
  op.kind !== 'action' && op.kind !== 'wait' && (op.destroy === 'never' || line.destroy === 'keep');

const isComplete = ({ doc, error }: Applied): boolean => doc.ok && doc.status === 'complete' && error === null;

const ended = ({
  doc,
  line,
  error,
}: {
  readonly doc: Applied['doc'] | { readonly command: 'plan' };
  readonly line: { readonly verdict: string } | null;
  readonly error: ErrorData | null;
}): string =>
  error
    ? `the run ended with ${error.code}`
    : 'status' in doc
      ? `the run ended as ${doc.status}`
      : `the plan says ${line?.verdict ?? 'nothing'}`;

const fieldsOf = ({ line }: { readonly line: { readonly changes: readonly { readonly field: string }[] } | null }): string =>
  line?.changes.map(({ field }) => field).join(', ') || 'no field';
