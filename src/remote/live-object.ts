import type { Json } from '../core/json.ts';
import type { Sealed } from '../core/sealed.ts';
import type { Unread, unchanged } from './unread.ts';

/** The value of a field that exists and that the provider does not show. */
export const unreadable: unique symbol = Symbol('unreadable');
export type LiveValue = Json | Sealed | typeof unreadable | typeof unchanged | Unread | undefined;

/** An object as the provider holds it now. */
export interface Live {
  readonly id: string;
  /** By the names of `Bound.fields`. A field left out is absent. */
  readonly values: { readonly [field: string]: LiveValue };
  /** Outputs that this read or create answer shows; lazy ones are left out. Sensitive ones are `Sealed`. */
  readonly outputs: { readonly [name: string]: Json | Sealed };
  /** ISO 8601, where the provider tells. */
  readonly createdAt?: string;
  /** When it was last changed, by the provider's own clock, where an answer to a write tells (ISO 8601). */
  readonly changedAt?: string;
  /** Another text after every change of the object, whoever made it. It spares the reads of `Unread` values. */
  readonly revision?: string;
  /** Whether it bears the mark of this environment and scope, where the create leaves one. */
  readonly isMarked?: boolean;
  /** Anything the op's own `update`, `ready` or `output` needs again. In memory only. */
  readonly raw?: unknown;
}
