import { contractsFolder, skipReason } from '../../test/contracts/expect.ts';
import { missingTools } from '../../test/spin/verify.ts';
import { recordedFolder } from '../contracts/result.ts';

/** One proof at its full size. `npm test` runs a small share of each. */
export interface Part {
  readonly name: string;
  readonly says: string;
  readonly script: string;
  readonly args: readonly string[];
  /** The lines of its output that have its figures. */
  readonly figures: RegExp;
  /** The reason why the part cannot run here, if it needs a program that the project does not install. */
  readonly missing?: () => Promise<string | null>;
}

/** Thirds of the crash table. */
const crashParts = (name: string, says: string, flags: readonly string[]): readonly Part[] =>
  ['1/3', '2/3', '3/3'].map((share) => ({
    name: `${name}-${share.slice(0, 1)}`,
    says: `${says}, ${share} of the families`,
    script: 'test/crash/main.ts',
    args: ['--share', share, ...flags],
    figures: /^total /,
  }));

/** The parts in their order. Each takes less than 25 minutes on two idle cores, so a job can run one alone. */
export const parts: readonly Part[] = [
  { name: 'tests', says: 'the tests', script: 'scripts/test.ts', args: [], figures: /^\d+ passed, \d+ failed/ },
  {
    name: 'servers',
    says: 'servers that we did not write',
    script: 'scripts/real.ts',
    args: [],
    figures: /^ *Tests .*\d+ (?:passed|failed)/,
  },
  {
    name: 'simulate',
    says: 'random plans, faults and cuts in virtual time',
    script: 'test/crash/simulate/main.ts',
    args: ['--seeds', '10000'],
    figures: /^seeds \d+/,
  },
  {
    name: 'losses',
    says: 'histories of pull requests, through the generated workflow, with events that are lost and jobs that die',
    script: 'test/losses/main.ts',
    args: ['--seeds', '3000'],
    figures: /^histories \d+/,
  },
  {
    name: 'losses-planted',
    says: 'the same without one of its nets each: each must be missed',
    script: 'test/losses/main.ts',
    args: ['--planted'],
    figures: /^planted faults \d+/,
  },
  {
    name: 'untidy',
    says: 'every way in which providers show what they were sent',
    script: 'scripts/untidy.ts',
    args: [],
    figures: /^\d+ operations, /,
  },
  ...crashParts('crash', 'a cut at every effect of every operation', []),
  ...crashParts('crash-untidy', 'the same at providers that show names and values in another form', ['--untidy']),
  {
    name: 'detect',
    says: 'what init says of repositories of real shape, and what its plans do',
    script: 'test/onboard/detect/main.ts',
    args: [],
    figures: /^(?:recall|precision|hosts|wiring|runnable) [\d.]+ of/,
  },
  { name: 'model', says: 'every state of the protocol', script: 'test/model/main.ts', args: [], figures: /^\d+ rules, / },
  {
    name: 'spin',
    says: 'the same protocol in Promela, searched by Spin',
    script: 'test/spin/main.ts',
    args: [],
    figures: /^\d+ configurations, /,
    missing: missingTools,
  },
  ...['local and git', 'git-sha256', 'postgres and s3', 'ceph'].map((stores): Part => {
    const names = stores.split(' and ');
    return {
      name: `linear-${names.join('-')}`,
      says: `what eight processes see of one branch, a thousand times: ${stores}`,
      script: 'test/linear/main.ts',
      args: names.flatMap((name) => ['--store', name]),
      figures: /\d+ histories, |: skipped, /,
    };
  }),
  {
    name: 'fuzz',
    says: 'mutated plans, ledgers, answers and events',
    script: 'test/fuzz/main.ts',
    args: ['--inputs', '100000'],
    figures: /^[\d,]+ inputs in|^failures: \d+/,
  },
  {
    name: 'fuzz-ledger',
    says: 'forged ledgers at every door',
    script: 'test/fuzz/main.ts',
    args: ['--ledger', '--inputs', '3000'],
    figures: /^[\d,]+ inputs in|^failures: \d+/,
  },
  {
    name: 'whole',
    says: 'every forgery of every kind of line at every door, every cut and broken push of real processes, and all else that npm test has a share of',
    script: 'scripts/whole.ts',
    args: [],
    figures: /^ *Tests .*\d+ (?:passed|failed)/,
  },
  {
    name: 'mutate',
    says: 'mutated recipes',
    script: 'scripts/mutate.ts',
    args: ['--recipes'],
    figures: /^\d+ members altered/,
  },
  {
    name: 'chaos',
    says: 'real processes that are killed',
    script: 'test/crash/chaos/main.ts',
    args: ['--kills', '100'],
    figures: /^kills \d+/,
  },
  {
    name: 'bench',
    says: 'requests, writes, pushes and bytes beside two bare scripts',
    script: 'bench/main.ts',
    args: ['--assert'],
    figures: /^\d+ of \d+ bounds of|^NOT HELD/,
  },
  {
    name: 'list',
    says: 'pilotfish list over 5,000 scopes of a git host',
    script: 'bench/list.ts',
    args: ['--scopes', '5000', '--assert'],
    figures: /^\d+ scopes, |^NOT HELD/,
  },
];

/** This part judges the records of all others, so it comes last. It needs the vendors' descriptions. */
export const descriptions: Part = {
  name: 'descriptions',
  says: "the vendors' descriptions, against all that was sent and answered",
  script: 'scripts/contracts.ts',
  args: ['--recorded', recordedFolder, '--report'],
  figures: /violations|to repair|as the descriptions say/,
  missing: async () => (contractsFolder() === null ? skipReason : null),
};
