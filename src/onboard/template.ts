/** The variables that hold the template's credentials. */
export const templateCredentials: readonly { readonly variable: string; readonly provider: string }[] = [
  { variable: 'NEON_API_KEY', provider: 'neon' },
  { variable: 'VERCEL_TOKEN', provider: 'vercel' },
];

export interface TemplateFacts {
  /** Goes into the names of what is made, so that two repositories on one provider project stay apart. */
  readonly repository: string;
  /** Path of the installed editor schema from the plan's folder, when there is one. */
  readonly schema: string | null;
}

/** The plan that `init` writes when it knows nothing of the repository: a database branch a preview, handed to its deployment. */
export function templatePlan({ repository, schema }: TemplateFacts): string {
  return `${schema === null ? '' : `# yaml-language-server: $schema=${schema}\n`}# What every preview of this repository needs beside its build. \`pilotfish plan\` shows what would be done,
# \`pilotfish apply\` does it, \`pilotfish apply --destroy\` removes it again.
version: 1

changes:
  # A copy-on-write branch of the database, one a preview.
  - id: database
    adapter: neon
    op: branch
    project_id: your-neon-project # TODO: the id of the Neon project; Neon Console, Settings, General, "Project ID".
    name: ${repository}-\${ctx.scope}

  # The branch's connection string, for the builds of this git branch only.
  - id: database-url
    adapter: vercel
    op: env
    project: your-vercel-project # TODO: the Vercel project's id or name; Vercel Dashboard, Settings, General, "Project ID".
    key: DATABASE_URL # CHECK: the name under which your code reads the connection string.
    value: { from: database.connection_uri }
    target: [preview]
    git_branch: \${ctx.git.branch}

  # Waits for the preview, and builds it again when it was built before the variable was there.
  - id: preview
    adapter: vercel
    op: deploy
    project: your-vercel-project # TODO: the same Vercel project as above.
    depends_on: [database-url]
`;
}
