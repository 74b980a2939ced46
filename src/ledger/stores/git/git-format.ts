/** The hash that names the objects of a repository. A repository has one for all its objects. */
export type ObjectFormat = 'sha1' | 'sha256';

/** The format of the repository that an id comes from. */
export const formatOf = (oid: string): ObjectFormat => (oid.length === 64 ? 'sha256' : 'sha1');

/** An id of either format, as a part of a pattern. */
export const anyOid = '(?:[0-9a-f]{64}|[0-9a-f]{40})';

/** The bytes of an id inside a folder of git. */
export const oidBytes = (format: ObjectFormat): number => (format === 'sha256' ? 32 : 20);

/** The id of a folder with nothing in it. */
export const emptyTree: { readonly [format in ObjectFormat]: string } = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** The remote turned out to have the other format than the work began with. Nothing was written, so the work begins anew in `format`. */
export class OtherFormat extends Error {
  readonly format: ObjectFormat;
  constructor(format: ObjectFormat) {
    super(`the objects of the remote are named by ${format}`);
    this.name = 'OtherFormat';
    this.format = format;
  }
}
