/** The release of this package: the repository of its CI action, its tag, and the commit of the tag. */
export interface Release {
  /** `owner/name` */
  readonly repository: string;
  /** 40 hex digits. */
  readonly commit: string;
  /** `v1.2.3` */
  readonly tag: string;
}

/** The build of a release defines this value (`scripts/build.ts`). */
declare const PILOTFISH_RELEASE: Release | undefined;

/** `null` in a development build: it has no tag, so nothing can be pinned to it. */
export const release: Release | null = typeof PILOTFISH_RELEASE === 'undefined' ? null : PILOTFISH_RELEASE;
