import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { bounds } from '../../core/bounds.ts';
import { type ErrorData, Failure } from '../../core/errors.ts';
import { once } from '../../core/once.ts';
import type { Ending, Fact } from '../../ledger/model/change.ts';
import { isOfDeletes } from '../../ledger/model/change.ts';
import { toText } from '../../ledger/model/file-text.ts';
import { namesIn, writeDurably } from '../../ledger/stores/local/local-store-files.ts';
import { makeFolder, removeFile } from '../../platform/safe-files.ts';
import { applyAgain } from '../command-again.ts';
import type { Session } from '../session.ts';
import { unpushedShape } from '../shapes.ts';

/** A file of `.pilotfish/unpushed/`, as far as the next run needs it. */
export interface Unpushed {
  readonly file: string;
  readonly run: string;
  readonly identities: readonly string[];
}

const format = once(() =>
  z.looseObject({
    v: z.literal(1),
    run: z.string(),
    at: z.string(),
    ledger: z.string(),
    branch: z.string(),
    why: z.looseObject({ code: z.string() }),
    did: z.array(z.string()),
    facts: z.array(
      z.looseObject({
        kind: z.string(),
        identity: z.string().optional(),
        record: z.looseObject({ identity: z.string() }).optional(),
      }),
    ),
  }),
);

/**
 * Keeps what a run did and could not store: a file a run in `.pilotfish/unpushed/`, with the facts as the ledger would hold them
 * and a sentence for each. The ledger has the intents of these objects, so the next run finds them without the file; it is for
 * people, and for the case that nobody ever repairs the ledger. Gives the error with what became of it.
 */
export async function keepUnpushed(session: Session, ending: Ending, error: ErrorData): Promise<ErrorData> {
  const { writer } = session;
  const did = writer.unstored.map(sentenceOf);
  const kept = {
    v: 1,
    run: session.runId,
    at: ending.history.at,
    ledger: session.store.location,
    branch: session.receiptsBranch,
    /** The commit that the facts were made on. */
    head: writer.head,
    why: error,
    did,
    facts: writer.unstored,
    receipt: ending.receipt,
    history: ending.history,
  };
  const content = session.redactor.document(kept, unpushedShape);
  const file = path.join(folderOf(session), `${session.runId}.json`);
  try {
    makeFolder(folderOf(session), session.home);
    await writeDurably(file, [toText(content)], session.home);
  } catch (thrown) {
    removeQuietly(session, file);
    const why =
      thrown instanceof Failure
        ? thrown.detail
        : thrown instanceof Error && 'code' in thrown
          ? String(thrown.code)
          : 'it cannot be written';
    const list = did.length === 0 ? 'It made nothing that the ledger lacks.' : `The ledger lacks what it did: ${did.join('; ')}.`;
    return { ...error, detail: `${error.detail} The receipt could not be kept in ${folderOf(session)} either (${why}). ${list}` };
  }
  const what = did.length === 0 ? 'Nothing that it made is missing there; its receipt' : `The work of this run (${count(did.length)})`;
  return { ...error, detail: `${error.detail} ${what} is kept in ${shownPath(file)}, until the next run of this scope is done.` };
}

/** Finds the files that earlier runs of this scope left, and tells each as a warning. */
export async function findUnpushed(session: Session): Promise<readonly Unpushed[]> {
  const found: Unpushed[] = [];
  const folder = folderOf(session);
  const names = (await namesIn(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  if (names.length > mostFiles) session.warnings.push(`pilotfish read ${mostFiles} of the ${names.length} files in .pilotfish/unpushed.`);
  for (const name of names.slice(0, mostFiles)) {
    const file = path.join(folder, name);
    const content = parse(await boundedText(file));
    if (content === null) {
      session.warnings.push(`${shownPath(file)} cannot be read, so its content is not known. Remove the file when no run needs it.`);
      continue;
    }
    if (content.branch !== session.receiptsBranch || content.ledger !== session.store.location) continue;
    const identities = content.facts.flatMap((fact) => fact.record?.identity ?? fact.identity ?? []);
    found.push({ file, run: content.run, identities });
    session.warnings.push(warningOf(session, content, file));
  }
  return found;
}

/** Removes the files of runs whose objects the ledger now knows: no intent of them is left for a later run to settle. */
export async function forgetUnpushed(session: Session, files: readonly Unpushed[]): Promise<void> {
  // Nearly always there is no file, and then the state after the last push need not be parsed.
  for (const { file, identities } of files) {
    const { intents } = session.writer.state;
    const isOpen = identities.some((identity) => intents.has(identity) && intents.get(identity)?.run !== session.runId);
    if (!isOpen) removeQuietly(session, file);
  }
}

/** A checkout may hold anything under these names. */
const mostFiles = 100;
const mostShown = 20;

/** Empty for anything that is no file of ours. The run tells of it as one that cannot be read. */
async function boundedText(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() && found.size <= bounds.file ? await readFile(file, 'utf8').catch(() => '') : '';
}

function warningOf(session: Session, content: z.infer<ReturnType<typeof format>>, file: string): string {
  const more = content.did.length > mostShown ? `; and ${content.did.length - mostShown} more` : '';
  const did = content.did.length === 0 ? '' : `: ${content.did.slice(0, mostShown).join('; ')}${more}`;
  const next =
    session.purpose === 'plan'
      ? `Run ${applyAgain(session)}; it finds the objects by their intents, and removes the file.`
      : 'This run finds the objects by their intents, and removes the file when it is done.';
  return `Run ${content.run} of ${content.at} could not store what it did (${content.why.code}), see ${shownPath(file)}${session.redactor.text(did)}. ${next}`;
}

function sentenceOf(fact: Fact): string {
  if (fact.kind === 'record') {
    const { line, key, recordId } = fact.record;
    return `${line} stands: ${key}${recordId === '' ? '' : ` (removed by ${recordId})`}`;
  }
  if (isOfDeletes(fact)) return `what earlier runs removed is ${fact.kind === 'looked' ? 'gone' : 'still there'}`;
  if (fact.kind === 'intent') return `${fact.intent.line} was announced: ${fact.intent.key}`;
  return fact.kind === 'forget' ? `the object ${fact.identity.slice(0, 12)} is gone` : `${fact.identity.slice(0, 12)} was not made`;
}

function parse(text: string): z.infer<ReturnType<typeof format>> | null {
  try {
    return format().safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The next run tells again of a file that stays. */
function removeQuietly({ home }: Session, file: string): void {
  try {
    removeFile(file, home);
  } catch {
    // Its folder may have become read-only.
  }
}

const folderOf = (session: Session): string => path.join(session.home, '.pilotfish', 'unpushed');
const shownPath = (file: string): string => path.posix.join('.pilotfish', 'unpushed', path.basename(file));
const count = (n: number): string => (n === 1 ? 'one fact' : `${n} facts`);
