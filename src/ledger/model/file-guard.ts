import { isMap } from '../../core/json.ts';
import { dayMs } from '../writer/lease.ts';

/** Whether what a file of the ledger holds surely has the form that its schema asks for; `fact-guard.ts` tells why it is asked first. */
export const isPlainFile = {
  lease: (value: unknown): boolean =>
    isMap(value) &&
    Number.isFinite(value.v) &&
    isText(value.holder) &&
    isText(value.run) &&
    isDuration(value.durationMs) &&
    value.durationMs !== 0 &&
    isDuration(value.deadlineMs) &&
    value.deadlineMs !== 0 &&
    Number.isFinite(value.renewal) &&
    (value.released === null || (isMap(value.released) && isDuration(value.released.quietForMs))),
  snapshot: (value: unknown): boolean =>
    isMap(value) &&
    Number.isFinite(value.v) &&
    isText(value.run) &&
    isText(value.digest) &&
    Number.isFinite(value.machine) &&
    Array.isArray(value.lines) &&
    value.lines.every(isPosition),
  receipt: (value: unknown): boolean =>
    isMap(value) &&
    Number.isFinite(value.v) &&
    isText(value.run) &&
    isText(value.status) &&
    Array.isArray(value.lines) &&
    value.lines.every((line: unknown) => isMap(line) && isText(line.id)),
  history: (value: unknown): boolean => isMap(value) && isText(value.run) && isText(value.at) && isText(value.outcome),
};

const isPosition = (line: unknown): boolean =>
  isMap(line) &&
  isText(line.id) &&
  isText(line.state) &&
  isText(line.verdict) &&
  (line.identity === null || isText(line.identity)) &&
  Number.isFinite(line.generation);

const isText = (value: unknown): boolean => typeof value === 'string';
const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= dayMs;
