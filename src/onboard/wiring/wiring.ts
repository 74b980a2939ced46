import type { DraftVariable } from '../../ops/detect.ts';
import type { Evidence } from '../detect/ids.ts';

/** A provider whose lines give values: a claim's service, with the variables of its `detect`. */
export interface Source {
  readonly service: string;
  readonly from: 'adapter' | 'family';
  readonly title: string;
  /** The folders of the deployables that use the provider. */
  readonly deployables: readonly string[];
  /** `database.variables` and `variables` of its `detect`. */
  readonly variables: readonly DraftVariable[];
  /** The protocol of its connection strings; `null` where it has none. */
  readonly engine: string | null;
  /** Suffixes of the hosts in its addresses. */
  readonly hosts: readonly string[];
  /** Its packages, in any ecosystem: `@supabase/supabase-js`. A client of one of them takes only values of the provider. */
  readonly packages: readonly string[];
}

/** A name that the code of a deployable reads, and the value for it. */
export interface Wired {
  readonly variable: string;
  /** The folder of the deployable. */
  readonly deployable: string;
  readonly service: string;
  readonly from: 'adapter' | 'family';
  readonly given: DraftVariable;
  /** Prisma reads the name, so `given.prisma` is its value. */
  readonly isPrisma: boolean;
  /** What its address begins with in the files, where a driver asks for it: `postgresql+asyncpg://`. */
  readonly driver: string | null;
  /** The place that reads the name. */
  readonly evidence: Evidence;
}

/** A value that is handed to nobody. */
export interface Unwired {
  readonly service: string;
  readonly deployable: string;
  /** The name that gets no value; `null` if the code reads none for the provider. */
  readonly variable: string | null;
  /** A sentence for a person. */
  readonly why: string;
}

export interface Wiring {
  readonly wired: readonly Wired[];
  readonly unwired: readonly Unwired[];
}
