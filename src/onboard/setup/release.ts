/** The release that this package is: where its CI action lies, and the commit that its tag points at. */
export interface Release {
  /** `owner/name` */
  readonly repository: string;
  /** 40 hex digits. */
  readonly commit: string;
  /** `v1.2.3` */
  readonly tag: string;
}

/** Put in by the build of a release (`scripts/build.ts`). */
declare const PILOTFISH_RELEASE: Release | undefined;

/** `null` in a development build: no tag says what it is, so nothing can be pinned to it. */
export const release: Release | null = typeof PILOTFISH_RELEASE === 'undefined' ? null : PILOTFISH_RELEASE;
