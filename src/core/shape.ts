/**
 * A shape says for each place of a document whether its words are ours. A secret may be any text, also one of our own words: `create`, the
 * name of a line, a field of a document. Programs read our words, so these stay as they are. Secrets are masked in the rest.
 */
export type Shape =
  /** A word, name or number of ours. */
  | 'own'
  /** A text or a value that may hold words of others: every secret in it is masked, in names and numbers too. */
  | 'said'
  | { readonly list: Shape }
  /** A map whose names are ours: lines, outputs, params. */
  | { readonly map: Shape }
  /** Members by their names. A member without a name here is `said`. */
  | { readonly of: { readonly [name: string]: Shape } }
  /** Members whose shape depends on the text of one of them: events by their `type`. */
  | { readonly by: string; readonly cases: { readonly [word: string]: Shape } };

/** The shape of a `T`, of every kind where that is a union: it must name each member. */
export const shapeOf = <T>(of: Members<T>): { readonly of: Members<T> } => ({ of });

type Members<T> = { readonly [Name in T extends unknown ? keyof T : never]: Shape };
