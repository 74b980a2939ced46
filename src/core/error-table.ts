import { type Door, door } from './door.ts';

/** One entry per error code: the constant summary, the general fix, the exit code and when it arises. `docs/errors.md` is made from it. */
export interface ErrorEntry {
  readonly summary: string;
  readonly fix: Words;
  /** 1: a line failed or was refused; 2: refused before any request, or, for another digest, before any write; 3: the lease was held or lost. */
  readonly exit: 1 | 2 | 3;
  readonly when: Words;
}

/** A text, or how it reads at a door. */
type Words = string | ((door: Door) => string);

const entry = (exit: 1 | 2 | 3, summary: string, when: Words, fix: Words): ErrorEntry => ({ exit, summary, when, fix });

export const errorTable = {
  USAGE: entry(
    2,
    'The command line is wrong',
    'An unknown command or flag, a flag without its value, or values that contradict each other.',
    (door) => door.usage(),
  ),
  DIGEST_MISMATCH: entry(
    2,
    'The digest is not that of this run',
    (door) =>
      `${door.named('expect')} names the digest of another plan: a line, a host, a credential, a live object or the ledger changed since. A line also fails with this code when other lines have written and it would now write something else than the digest stands for.`,
    (door) =>
      `Run ${door.run({ command: 'plan', inputs: [] })} again, look at what changed, and pass the new digest to ${door.named('expect')}.`,
  ),
  PLAN_NOT_TRUSTED: entry(
    2,
    'The plan uses something that is not merged yet',
    (door) =>
      `The run has ${door.named('plan-from')}, or the action has \`plan-from: base\`, and the plan of that commit lacks something that this plan uses: a host, the form or the name of a credential, a command, a secret or the code of a plugin. The same code tells that the commit cannot be read.`,
    'Merge the change of the plan first. It takes effect after that.',
  ),
  PLAN_PARSE: entry(
    2,
    'The plan is not readable',
    'The plan file is missing, is not a text file, or is not valid YAML.',
    'Correct the file at the place shown.',
  ),
  PLAN_INVALID: entry(
    2,
    'The plan is not valid',
    'An unknown key, adapter, operation, recipe or API block, or a value of the wrong form.',
    'Correct the plan at the place shown.',
  ),
  RECIPE_INVALID: entry(
    2,
    'A recipe family is not valid',
    'A file that `recipes` or PILOTFISH_PLUGINS names holds no recipe family: it is not readable, has an unknown key or a value of the wrong form, or takes a name that is taken.',
    'Correct the family at the place shown. `schema/recipe-family.schema.json` of the package describes every key.',
  ),
  PLAN_TODO: entry(
    2,
    'The plan still has placeholders',
    'A value of the plan is still marked `# TODO`.',
    'Fill in the value and remove its `# TODO` comment.',
  ),
  PARAM_INVALID: entry(
    2,
    'A param is not valid',
    'An unknown or missing param, a wrong type, two matches of one find, a changed field that cannot be updated, or two lines with one identity.',
    'Correct the param at the place shown.',
  ),
  REF_UNKNOWN: entry(
    2,
    'A reference names nothing of the plan',
    '`from:`, `depends_on` or a `${…}` in a text names a line or a value that the plan does not have.',
    'Name a line of this plan, or write `$${` for a `${` that is only text.',
  ),
  REF_OUTPUT_UNKNOWN: entry(
    2,
    'A reference names no output',
    '`from:` names an output that the line does not declare.',
    'Name one of the outputs listed.',
  ),
  REF_CYCLE: entry(
    2,
    'Lines wait for each other',
    'References and `depends_on` form a cycle.',
    'Remove one of the references in the cycle.',
  ),
  REF_FILTERED: entry(
    2,
    'A reference names a line of another environment',
    'A line refers to a line whose `environments` leave it out of this run.',
    'Give both lines the same `environments`.',
  ),
  CTX_NULL: entry(
    2,
    'The context lacks a value',
    'The plan uses `${ctx.…}` values that this run does not have, or no scope was given.',
    'Pass the inputs that the message names.',
  ),
  ENV_UNKNOWN: entry(
    2,
    'The environment is not known',
    (door) => `${door.named('env')} names an environment that the plan does not list.`,
    'Use one of the environments listed.',
  ),
  ENV_NOT_APPROVED: entry(
    2,
    'Production needs an approval',
    'The run writes production state and has no approver.',
    (door) => `Pass ${door.passed('approved-by')}.`,
  ),
  COMMAND_NOT_APPROVED: entry(
    2,
    'A command was not approved',
    'An agent called the tool server, and the plan, its recipe or the ledger names a program that prints a token or a secret. No person allowed that program for this call.',
    'Have a person approve the program at the client, or run the command line. A person who trusts every plan here can start the server with PILOTFISH_AGENT_COMMANDS=1.',
  ),
  SECRET_LITERAL: entry(
    2,
    'A secret stands in the plan',
    'A literal value stands where a secret reference belongs.',
    'Use `{ secret: env://NAME }`, or `{ public: <text> }` when the text is not secret.',
  ),
  SECRET_UNRESOLVED: entry(
    1,
    'A secret could not be read',
    'A `{ secret: … }` reference did not resolve.',
    'Check the reference and the access to its source.',
  ),
  CREDENTIAL_MISSING: entry(
    2,
    'A credential is missing',
    'An environment variable that holds a provider credential is not set.',
    'Set the variable that the message names.',
  ),
  PLUGIN_FAILED: entry(
    2,
    'A plugin failed',
    'A module of PILOTFISH_PLUGINS is missing, has no `register(registry)`, or its code threw.',
    'Correct PILOTFISH_PLUGINS or the module.',
  ),
  PROVIDER_AUTH: entry(
    1,
    'The provider refused the credential',
    'The provider answered 401 or 403, a credential was refused before its first use, or nothing shows that the token can see the object.',
    'Check the credential and its permissions.',
  ),
  PROVIDER_INVALID: entry(
    1,
    'The provider refused the request',
    'The provider answered 400, 405, 422 or a like status.',
    'Correct what the provider names.',
  ),
  PROVIDER_CONFLICT: entry(
    1,
    'The provider reports a conflict',
    'The provider answered 409 or 412, and reading the object again did not settle it.',
    'Wait until the other change is done, then run again.',
  ),
  PROVIDER_RESPONSE: entry(
    1,
    'The provider answered in an unexpected shape',
    'An answer lacks a value that the operation needs, an answer is a redirect, or a write did not take effect.',
    'See whether the request reached the API of the provider. If it did, the API has changed: report it to pilotfish.',
  ),
  PROVIDER_NOT_FOUND: entry(
    1,
    'The provider does not have the object',
    'A parent object, environment or adopted object does not exist.',
    'Check the ids in the plan.',
  ),
  PROVIDER_TRANSIENT: entry(
    1,
    'The provider did not answer in time',
    'Timeouts, broken connections or 5xx answers outlasted the retries.',
    'Run again later.',
  ),
  PROVIDER_QUOTA: entry(
    1,
    'A limit of the provider is reached',
    'The account or plan allows no more objects of this kind. Where the provider tells its limit, the run saw that before its first write and wrote nothing.',
    'Remove objects that are no longer needed, or raise the limit.',
  ),
  RESOURCE_FOREIGN: entry(
    1,
    'The object exists and is not ours',
    'An object with this identity exists, and no record or intent of this scope names it.',
    'Adopt it with `{ keep: true }` on all fields, or use another name.',
  ),
  NEEDS_RECONCILE: entry(
    1,
    'The delete request of an applied line changed',
    'A destroy would now remove the object with another request than the recorded one.',
    (door) => `Run ${door.run({ command: 'apply', inputs: [['reconcile']] })}.`,
  ),
  OUTPUT_UNAVAILABLE: entry(
    1,
    'A once-only output is gone',
    'A value that the provider shows only once is needed by a later run.',
    (door) => `Run ${door.run({ command: 'apply', inputs: [] })} with ${door.passed('recreate')}.`,
  ),
  NOT_APPLIED: entry(
    1,
    'The preview does not hold this yet',
    'A command wants the value of a line whose object no run has made, or that a run has not finished.',
    (door) => `Run ${door.run({ command: 'apply', inputs: [] })} first.`,
  ),
  DEPENDENCY_FAILED: entry(
    1,
    'A line that this one needs failed',
    'A line that it needs failed, was refused or was skipped. The code stands at its line in the JSON and the receipt, with the failed lines under `because`. People read of it at the error of the failed line.',
    'Correct the line that failed first.',
  ),
  EXTERNAL_FAILED: entry(
    1,
    'A process that the line waits for failed',
    'A deployment or other outside process ended in failure.',
    'Look at the provider’s log, then run again.',
  ),
  ADDRESS_DIFFERS: entry(
    1,
    'The deployment has another address',
    'A line that waits for a deployment has an `address`, and the deployment does not answer there. Lines before it were given that address.',
    'Use a host name of the deployment in place of that address, in every line that was given it.',
  ),
  WAIT_TIMEOUT: entry(
    1,
    'Waiting took too long',
    (door) =>
      `Something did not become ready within ${door.named('wait-timeout')} or the \`timeout\` of its line, or an object still stood there after its delete was accepted.`,
    (door) => `Run again, or raise ${door.named('wait-timeout')}.`,
  ),
  LEASE_HELD: entry(
    3,
    'Another run holds this scope',
    (door) => `Another run still held the lease when ${door.named('lease-timeout')} ended.`,
    'Wait for the other run, then run again.',
  ),
  LEASE_LOST: entry(3, 'This run lost its lease', 'Another run took this scope over, or this machine slept too long.', 'Run again.'),
  LEDGER_CORRUPT: entry(
    1,
    'The ledger is damaged',
    'A file of the receipts branch does not parse, the branch is gone, or the branch does not lead back to the commit that this machine knows.',
    (door) => `Restore an older commit of the branch with ${door.passed('restore-ledger')}.`,
  ),
  LEDGER_UNSEALED: entry(
    1,
    'No credential of this run sealed this fact of the ledger',
    'A record or intent was written with another credential, by an older pilotfish or by somebody else, and nothing else confirms it.',
    (door) => `Run with the credential that wrote the fact, or have a person look at the commit and pass ${door.passed('trust-ledger')}.`,
  ),
  LEDGER_VERSION: entry(1, 'The ledger is of a newer version', 'A newer pilotfish wrote this ledger.', 'Install the newer pilotfish.'),
  LEDGER_REFUSED: entry(
    1,
    'The ledger could not be reached or written',
    "The remote refused the push or could not be reached, or the ledger's folder, database or bucket cannot be written. pilotfish keeps the facts that it could not store in `.pilotfish/unpushed/`.",
    'Allow pushes to `pilotfish-receipts/**` for this token.',
  ),
  NOT_CONFIRMED: entry(
    1,
    'The removal was not confirmed',
    'A run that removes something asked at the terminal, and the answer was not `yes`. Nothing was removed.',
    (door) => `Run the command again and answer \`yes\`, or pass ${door.passed('yes')}.`,
  ),
  INTERRUPTED: entry(
    1,
    'The run was interrupted',
    'SIGINT or SIGTERM ended the run. The exit code is then 130 or 143.',
    'Run the same command again. It goes on from the ledger.',
  ),
  INTERNAL: entry(1, 'pilotfish failed', 'A defect of pilotfish.', 'Please report it with the command that you ran.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** The words of a code at the door of this process, or at another one. */
export function wordsOf(
  code: ErrorCode,
  at: Door = door,
): { readonly summary: string; readonly when: string; readonly fix: string; readonly exit: 1 | 2 | 3 } {
  const { summary, when, fix, exit }: ErrorEntry = errorTable[code];
  const read = (words: Words): string => (typeof words === 'string' ? words : words(at));
  return { summary, when: read(when), fix: read(fix), exit };
}
