import type { Release } from '../../src/onboard/setup/release.ts';

export const release: Release = { repository: 'acme-tools/pilotfish', commit: '0123456789abcdef0123456789abcdef01234567', tag: 'v9.8.7' };
