/** The variables of one scope, as reports show them. No value is in it. */
export interface ExportsDoc {
  readonly schema: 1;
  readonly ok: true;
  readonly command: 'run';
  readonly environment: string;
  readonly scope: string;
  readonly variables: readonly {
    readonly name: string;
    /** The value as the plan writes it: `database.connection_uri`. */
    readonly from: string;
    /** The value is a secret, or holds one. */
    readonly sensitive: boolean;
  }[];
  /** The lines that the values come from. */
  readonly needs: readonly string[];
  readonly warnings: readonly string[];
}
