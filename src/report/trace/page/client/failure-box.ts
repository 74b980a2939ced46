import type { ErrorData } from '../../../../core/errors.ts';
import { el } from './dom.ts';
import { foreign } from './panel-parts.ts';

/** One error: its code, what happened, and what to do. */
export const failureBox = ({ code, summary, detail, fix, place }: ErrorData, ...beside: readonly HTMLElement[]): HTMLElement =>
  el(
    'div',
    { class: 'failure' },
    el('p', {}, el('strong', { class: 'code' }, code), ` ${summary} `, ...beside),
    el('p', { class: 'detail' }, foreign(detail)),
    el('p', {}, el('strong', {}, 'Fix: '), foreign(fix)),
    place !== undefined && el('p', { class: 'muted' }, el('code', {}, place)),
  );
