import { CommandEar, type WorkflowCommand } from './workflow-commands.ts';

/** What came of a step's output: what people read, and what the runner did because of it. */
export class StepLog {
  /** Every line that the step wrote, unmasked. */
  readonly raw: string[] = [];
  readonly commands: WorkflowCommand[] = [];
  /** Commands that the runner refused: the step fails by them, whatever its exit code. */
  readonly refused: string[] = [];
  readonly #ear = new CommandEar();
  readonly #masks: Set<string>;
  readonly #shown: string[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(secrets: readonly string[]) {
    this.#masks = new Set(secrets);
  }

  /** A listener for one stream of the process. Lines end as .NET's readers end them, at a lone carriage return too. */
  stream(): { write(text: string): void; end(): void } {
    let open = '';
    return {
      write: (text) => {
        open += text;
        // A carriage return at the very end may be half of a line end.
        const lines = open.split(/\r\n|\n|\r(?!$)/);
        open = lines.pop() ?? '';
        for (const line of lines) this.#take(line);
      },
      end: () => {
        if (open !== '') this.#take(open.replace(/\r$/, ''));
        open = '';
      },
    };
  }

  /** The log as people see it. */
  get text(): string {
    return this.#shown.join('\n');
  }

  /** What the step wrote beside the secrets that it told the runner: without its masks, nothing of it may be secret. */
  get unmasked(): string {
    return this.raw.filter((line) => !line.startsWith('::add-mask::')).join('\n');
  }

  /** Data of each command of that name. */
  said(name: string): readonly string[] {
    return this.commands.filter((command) => command.name === name).map(({ data }) => data);
  }

  onLine(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  mask(text: string): string {
    return [...this.#masks].toSorted((a, b) => b.length - a.length).reduce((sofar, secret) => sofar.replaceAll(secret, '***'), text);
  }

  #take(line: string): void {
    this.raw.push(line);
    const heard = this.#ear.hear(line);
    if (heard.kind === 'text') this.#shown.push(this.mask(line));
    else if (heard.kind === 'refused') this.refused.push(`${heard.refused.command.name}: ${heard.refused.why}`);
    else this.#obey(heard.command, line);
    for (const listener of this.#listeners) listener();
  }

  #obey(command: WorkflowCommand, line: string): void {
    this.commands.push(command);
    const { name, data } = command;
    if (name === 'add-mask') {
      // One that is empty or a space would mask the whole log; the runner warns and passes it over.
      for (const part of [data, ...data.split(/[\r\n]/)]) if (part.trim() !== '') this.#masks.add(part);
    } else if (name === 'stop-commands' || line.trimStart() === `::${name}::`) {
      if (name !== 'endgroup') this.#shown.push(this.mask(line));
    } else if (name !== 'debug') {
      this.#shown.push(this.mask(`##[${name}]${data}`));
    }
  }
}
