import { isDeepStrictEqual } from 'node:util';
import { factsByPath } from '../../src/ledger/model/change.ts';
import { Branch } from '../../src/ledger/writer/branch.ts';

/**
 * Whoever loads this has each fact of each run compared with what another run reads from its file: the ledger takes its own facts as they
 * are. Loaded by the worlds in which the tests run whole plans.
 */
const append = Branch.prototype.append;

Branch.prototype.append = function (change, message, facts = []) {
  for (const [path, fact] of factsByPath(facts)) {
    const text = change.get(path);
    if (typeof text !== 'string') continue;
    const { sum: _sum, ...read } = JSON.parse(text);
    if (!isDeepStrictEqual(read, fact))
      throw new Error(`${path} says something else than its fact:\n${text}\n${JSON.stringify(fact, null, 2)}`);
  }
  return append.call(this, change, message, facts);
};
