/** A mistake of the person who starts the sandbox, and one thing to do about it. */
export class Problem extends Error {
  readonly fix: string;

  constructor(detail: string, fix: string) {
    super(detail);
    this.name = 'Problem';
    this.fix = fix;
  }
}
