import { join, resolve } from 'node:path';
import { type ErrorData, Failure } from '../core/errors.ts';
import { version } from '../core/version.ts';
import type { RunEvent } from '../engine/document.ts';
import { type FoundReceipt, findReceipt } from '../engine/finish/find-receipt.ts';
import { documentShape } from '../engine/shapes.ts';
import { machineSources as machines } from '../machines/sources.ts';
import { traceParent } from '../report/telemetry/parent.ts';
import { keptFolder, readKeptRun } from '../report/trace/kept-run.ts';
import { receiptEvents } from '../report/trace/receipt-events.ts';
import { openTrace, type TraceAbout, traceFiles } from '../report/trace/trace.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import { toRequest } from './request.ts';
import type { CliWorld } from './world.ts';

/** The one document of `plan --trace <folder> --run <id>`. */
export interface TraceDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'plan';
  readonly mode: 'trace';
  /** The id of the run; `null` if the run was cut off before it had one. */
  readonly run: string | null;
  /** The source of the trace: every event of the run, or its receipt, which holds less. */
  readonly source: 'events' | 'receipt';
  readonly title: string;
  /** Absolute path. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** The known facts about a run that is over. */
interface Earlier {
  readonly about: Omit<TraceAbout, 'machines' | 'telemetry'>;
  readonly run: string | null;
  readonly source: TraceDoc['source'];
  readonly events: readonly RunEvent[];
  readonly errors: readonly ErrorData[];
}

/** `pilotfish plan --trace <folder> --run last|<id>`: writes the trace of a run that is over, and plans nothing. */
export async function traceEarlierRun(flags: Flags, world: CliWorld, output: Output): Promise<number> {
  const [shown, wanted] = [String(flags.get('trace')), String(flags.get('run'))];
  const { about, run, source, events, errors } = await earlierRun(wanted, flags, world, output);
  const telemetry = { ...traceParent(world.env), redact: <T>(value: T): T => output.redactor.json(value) };
  const trace = openTrace(shown, world.cwd, { ...about, machines, telemetry });
  for (const event of events) trace.listen(event);
  const problem = trace.write(errors);
  if (problem !== null) throw new Failure('USAGE', { detail: problem, fix: 'Give `--trace` a folder that you can write.' });
  const document: TraceDoc = {
    schema: 1,
    ok: true,
    command: 'plan',
    mode: 'trace',
    run,
    source,
    title: about.title,
    folder: resolve(world.cwd, shown),
    files: traceFiles,
  };
  output.report(document, (told) => textOf(told, shown), {
    of: { ...documentShape.of, run: 'own', source: 'own', title: 'own', files: 'own' },
  });
  return 0;
}

function textOf({ title, run, source }: TraceDoc, shown: string): string {
  const which = `${title}${run === null ? '' : ` (run ${run})`}`;
  const less =
    source === 'events' ? '' : 'The trace comes from the receipt, which holds the end of each line and not the steps before it.\n';
  return `The trace of ${which} is in ${join(shown, 'trace.html')}.\n${less}`;
}

async function earlierRun(wanted: string, flags: Flags, world: CliWorld, { redactor }: Output): Promise<Earlier> {
  const kept = readKeptRun(world.cwd);
  const ids = kept?.events.flatMap((event) => (event.type === 'run' && event.run !== undefined ? [event.run] : [])) ?? [];
  if (kept && (wanted === 'last' || ids.includes(wanted))) {
    const { title, version: by, events, errors } = kept;
    return { about: { title, version: by }, run: ids[0] ?? null, source: 'events', events, errors };
  }
  if (wanted === 'last') {
    throw new Failure('USAGE', {
      detail: `This checkout keeps no run: ${keptFolder} is empty, or this version cannot read it.`,
      fix: 'Run `pilotfish plan` or `pilotfish apply` first, or give `--run` the id of a run whose receipt is in the ledger.',
    });
  }
  const store = await world.openLedger?.();
  try {
    const { network } = world;
    const onSecret = (text: string): void => {
      redactor.addIfLong(text);
      world.onSecret?.(text);
    };
    return fromReceipt(await findReceipt(toRequest(flags, world), wanted, { ...network, ...(store && { store }), onSecret }));
  } finally {
    await store?.close();
  }
}

function fromReceipt({ receipt, records, branch, commit }: FoundReceipt): Earlier {
  const { run, status, approvedBy, stats, command, environment, scope } = receipt;
  return {
    about: {
      title: `${command === 'destroy' ? 'apply --destroy' : 'apply'} ${environment}/${scope}`,
      version,
      receipt: { run, status, approvedBy, stats, branch, ledgerCommit: commit },
    },
    run,
    source: 'receipt',
    events: receiptEvents({ receipt, records }),
    errors: [],
  };
}
