/** One rule broken on purpose: texts of a source file and what stands there instead. */
export interface Mutant {
  readonly file: string;
  readonly edits: readonly (readonly [text: string, instead: string])[];
  /** The seed to begin with, where those before it show nothing. */
  readonly from?: number;
}

/**
 * Nine rules whose absence random plans must find. Each text stands exactly once in its file, so that a change of the source
 * cannot turn a mutant into the program that it was made from.
 */
export const mutants = {
  'the intent is not pushed': {
    file: 'src/engine/line/create.ts',
    edits: [
      [
        "await durable(session, work, [...unmarked, { kind: 'intent', intent }]);",
        "await (await import('./durable.ts')).underLease(session, work);",
      ],
    ],
  },
  'the lock is ignored': {
    file: 'src/engine/shared/parents.ts',
    edits: [
      ['return acquireSharedLock({', 'return (async (_o: unknown) => ({ check: () => undefined, release: async () => undefined }))({'],
    ],
  },
  'an interrupted create is resumed without a look': {
    file: 'src/engine/line/look.ts',
    edits: [
      [
        '  await beforeBelieving(session, work);\n  const { bound, record',
        "  if (work.intent && session.purpose !== 'plan') return { live: null, count: 'none', going: [], goingOf: [], alikes: [], replaced: null, unmanaged: [] };\n  const { bound, record",
      ],
    ],
  },
  'a write of a list is not verified': {
    file: 'src/engine/shared/parents.ts',
    edits: [
      ['    return { dropped: this.#batch', '    return { dropped: 0 && this.#batch'],
      ['else if (this.#isThere(ask) || this', 'else if (ask.writes > 0 || this.#isThere(ask) || this'],
    ],
  },
  'what is removed is looked up by its name': {
    file: 'src/engine/line/remove.ts',
    edits: [
      [
        'for (const id of new Set([work.record?.objectId, work.live?.id])) {',
        "for (const { id } of fact.reach.kind === 'object' && fact.reach.find ? await (await import('../../remote/find.ts')).findAll(http, fact.reach.find, { signal: session.ending }) : []) {",
      ],
    ],
  },
  'a refusal is told of a ledger that another run has moved': {
    file: 'src/engine/line/steps.ts',
    edits: [["    if (judgement.verdict === 'refused') await confirm();\n", '']],
    from: 501,
  },
  'lines that looked before another run wrote go on': {
    file: 'src/engine/schedule/drive.ts',
    edits: [["    if (session.purpose === 'plan') return;\n", '    return;\n']],
  },
  'a recorded object is known by its name': {
    file: 'src/engine/line/look.ts',
    edits: [["(record && record.objectId !== '' ? [record.objectId] : [])", '(record ? [] : [])']],
  },
  'how a provider keeps values is forgotten': {
    file: 'src/engine/line/compare.ts',
    edits: [['record?.kept?.[field] === shortHash(plainOf(live)) || ', '']],
  },
} as const satisfies { readonly [name: string]: Mutant };
