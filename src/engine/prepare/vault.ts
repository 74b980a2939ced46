import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Redactor } from '../../core/redact.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Edge } from '../../ledger/model/facts.ts';
import type { Bound, Io } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import { applyAgain, recreateFix, type Target } from '../command-again.ts';
import type { PreparedLine } from '../types.ts';

/** A producer whose outputs can be used. */
export interface Produced {
  readonly prepared: PreparedLine;
  readonly bound: Bound | null;
  readonly live: Live | null;
  readonly io: Io | null;
  readonly identity: string;
  readonly recordId: string;
  readonly generation: number;
  /** The object is missing at the provider and stays so. The line has only the outputs that the ledger stores. */
  readonly isMissing?: true;
}

const unmaskable = (name: string, cause: Failure): Failure =>
  new Failure(cause.code, {
    detail: `The sensitive output ${name} cannot be used. ${cause.detail} The object stays recorded, and destroy removes it.`,
    fix: `Correct the path of ${name}, or declare it without \`sensitive\` where it is no secret.`,
    cause,
  });

/** Outputs of the lines that others come after, in memory, for one run. Sensitive ones are known to the redactor before anybody gets them. */
export class Vault {
  readonly #redactor: Redactor;
  readonly #target: Target;
  readonly #lines = new Map<string, Produced>();
  readonly #lazy = new Map<string, Promise<Json | Sealed>>();

  constructor(redactor: Redactor, target: Target) {
    this.#redactor = redactor;
    this.#target = target;
  }

  /** Forgets all outputs. The lines are judged anew, and these outputs came from an earlier look. */
  forget(): void {
    this.#lines.clear();
    this.#lazy.clear();
  }

  put(line: string, produced: Produced): void {
    this.#lines.set(line, produced);
  }

  /**
   * Hides every sensitive output wherever it appears, before anybody gets it and even if nobody does. Gives the flaw of an output that cannot
   * be hidden. The object stands all the same, so the caller decides what comes before the error.
   */
  hide({ outputs }: Live): Failure | null {
    let flaw: Failure | null = null;
    for (const name in outputs) {
      const value = outputs[name];
      if (!(value instanceof Sealed)) continue;
      try {
        this.#redactor.add(value);
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        flaw ??= unmaskable(name, thrown);
      }
    }
    return flaw;
  }

  get(line: string): Produced | null {
    return this.#lines.get(line) ?? null;
  }

  /** The value itself, read from the provider when it is lazy. Throws `OUTPUT_UNAVAILABLE` when nobody has it any more. */
  async reveal(line: string, output: string): Promise<Json | Sealed> {
    const produced = this.#lines.get(line);
    const spec = produced?.prepared.outputs[output];
    const known = produced?.live?.outputs[output];
    if (!produced || !spec) throw new Failure('INTERNAL', { detail: `${line}.${output} was asked for before its line had it.` });
    if (known !== undefined) return known;
    if (produced.isMissing) throw this.#missing(line, output);
    const { bound, live, io } = produced;
    if (spec.lazy && bound?.kind === 'object' && bound.output && live && io) {
      // Another run may have replaced the object while this one waited for it; generations begin anew where a scope was destroyed.
      const key = `${line}.${output}#${produced.generation} of ${live.id}`;
      const reading = this.#lazy.get(key) ?? bound.output(io, live, output);
      this.#lazy.set(key, reading);
      const value = await reading;
      const sealed = spec.sensitive && !(value instanceof Sealed) ? new Sealed(String(value), `${line}.${output}`) : value;
      if (sealed instanceof Sealed) this.#redactor.add(sealed);
      return sealed;
    }
    if (spec.once) {
      throw new Failure('OUTPUT_UNAVAILABLE', {
        detail: `The provider shows ${line}.${output} only once, when the object is made, and this run did not make it.`,
        fix: this.recreateFix(line),
      });
    }
    throw new Failure('PROVIDER_RESPONSE', { detail: `The provider's answer for ${line} does not hold the output ${output}.` });
  }

  /** Whether nobody has the output any more: this run did not make the object, or the object is missing. */
  isGone(line: string, output: string): boolean {
    const produced = this.#lines.get(line);
    const spec = produced?.prepared.outputs[output];
    return produced !== undefined && (spec?.once === true || produced.isMissing === true) && produced.live?.outputs[output] === undefined;
  }

  /** Tells why nobody has an output whose object is missing. */
  goneFailure(line: string, output: string): Failure | null {
    return this.#lines.get(line)?.isMissing ? this.#missing(line, output) : null;
  }

  #missing(line: string, output: string): Failure {
    return new Failure('OUTPUT_UNAVAILABLE', {
      detail: `It needs ${line}.${output}. The object of ${line} was deleted outside and is left so (\`drift: report\`), and the ledger holds no such output that this run may use.`,
      fix: this.putBackFix(line),
    });
  }

  /** Tells how to make an object again that was deleted outside and left so. */
  putBackFix(line: string): string {
    return `Run ${applyAgain(this.#target, ['put-back'], ['only', line])}, which makes its object again.`;
  }

  /** The command that makes the objects of the lines anew, and with them those whose once-only outputs they need for it. */
  recreateFix(...wanted: readonly string[]): string {
    const lines: string[] = [];
    const add = (id: string): void => {
      if (lines.includes(id)) return;
      for (const { ref } of this.#lines.get(id)?.prepared.edges ?? [])
        if (this.#lines.get(ref.line)?.prepared.outputs[ref.output]?.once) add(ref.line);
      lines.push(id);
    };
    for (const line of wanted) add(line);
    return recreateFix(this.#target, lines);
  }

  /** The edge to this output as a record keeps it. */
  edge(line: string, output: string, field: string): Edge | null {
    const produced = this.#lines.get(line);
    if (!produced) return null;
    return { field, line, output, producer: produced.identity, recordId: produced.recordId, generation: produced.generation };
  }
}
