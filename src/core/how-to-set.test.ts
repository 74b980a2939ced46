import { describe, expect, it } from 'vitest';
import { howToSet } from './how-to-set.ts';

describe('the advice about a variable that a run lacks', () => {
  it('is to set it, where there is a shell', () => {
    for (const env of [{}, { CI: '' }, { CI: 'false' }, { CI: '0' }, { GITHUB_TOKEN: 'x' }])
      expect(howToSet(['A', 'B'], env)).toBe('Set A and B.');
  });

  it('is on GitHub to add a secret and to give it to the job', () => {
    const told = howToSet(['NEON_API_KEY'], { CI: 'true', GITHUB_ACTIONS: 'true' });
    expect(told).toContain('Add the secret NEON_API_KEY in the settings of the repository');
    expect(told).toContain('`NEON_API_KEY: ${{ secrets.NEON_API_KEY }}`');
  });

  it('is on GitHub a secret of another name where the host takes none of that name', () => {
    const told = howToSet(['GITHUB_PACKAGES_TOKEN', 'VERCEL_TOKEN'], { GITHUB_ACTIONS: 'true' });
    expect(told).toContain('Add the secrets PILOTFISH_GITHUB_PACKAGES_TOKEN and VERCEL_TOKEN');
    expect(told).toContain('`GITHUB_PACKAGES_TOKEN: ${{ secrets.PILOTFISH_GITHUB_PACKAGES_TOKEN }}`');
  });

  it('is on GitLab a variable of the project, and names none of another host', () => {
    const told = howToSet(['GITHUB_PACKAGES_TOKEN'], { CI: 'true', GITLAB_CI: 'true' });
    expect(told).toContain('Add the variable GITHUB_PACKAGES_TOKEN in the settings of the project, under CI/CD, Variables.');
    expect(told).not.toContain('secrets.');
  });

  it('is in another CI to add it there, and names no host', () => {
    const told = howToSet(['A'], { CI: '1' });
    expect(told).toBe('Add A to the secrets of this CI, and pass it to the job under this name.');
    expect(howToSet(['A', 'B'], { CI: 'true' })).toBe('Add A and B to the secrets of this CI, and pass them to the job under these names.');
  });
});
