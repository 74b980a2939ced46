import { randomBytes } from 'node:crypto';

/** The place of a run among traces. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span outside of this process that started the run, 16 hexadecimal digits; `null` where nobody names one. */
  readonly parentId: string | null;
  /** False where the parent's trace is not recorded: then the run is not exported either. */
  readonly isSampled: boolean;
}

/** The parent that `TRACEPARENT` names, in the form of W3C Trace Context. Without one the run begins a trace of its own. */
export function traceParent(env: NodeJS.ProcessEnv): TraceParent {
  const [, version, traceId, parentId, flags, more] = form.exec(env.TRACEPARENT ?? '') ?? [];
  const isKnown = version !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  if (!isKnown || traceId === undefined || parentId === undefined || isZero(traceId) || isZero(parentId)) {
    return { traceId: randomBytes(16).toString('hex'), parentId: null, isSampled: true };
  }
  return { traceId, parentId, isSampled: (Number.parseInt(flags ?? '', 16) & 1) === 1 };
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const isZero = (id: string): boolean => /^0+$/.test(id);
