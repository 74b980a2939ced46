import type { FailureDoc } from '../../engine/document.ts';
import type { MarkdownOptions } from './options.ts';
import { errorsPart, heading } from './parts.ts';
import type { Page } from './sheet.ts';

/** A run that never began: all that is wrong, in the order in which it was found. */
export const failurePage =
  (document: FailureDoc, o: MarkdownOptions): Page =>
  (sheet) => {
    const what = document.command === 'plan' ? (o.isDestroy ? 'Plan to destroy' : 'Plan for') : o.isDestroy ? 'Destroy of' : 'Apply of';
    const where = [o.environment, o.scope].filter((word) => typeof word === 'string' && word !== '').join('/');
    const errors = document.errors && document.errors.length > 0 ? document.errors : [document.error];
    return [
      heading(sheet, o, '❌', `${where === '' ? (what.split(' ')[0] ?? what) : `${what} ${sheet.code(where)}`}: did not begin`),
      errorsPart(
        sheet,
        o,
        errors.map((error) => ({ error })),
      ),
    ];
  };
