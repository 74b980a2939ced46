import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';
import type { CommentApi } from './comment-api.ts';
import { githubComments } from './github-comments.ts';
import { gitlabNotes } from './gitlab-notes.ts';

/** The comments of one pull request, in the API that its host speaks. */
export function commentsOf(client: Client, host: CodeHost, number: number, env: NodeJS.ProcessEnv): CommentApi {
  if (host.kind === 'gitlab') return gitlabNotes(client, host, number);
  const { block, repository } = host;
  const token = block.auth && 'bearer_env' in block.auth ? (env[block.auth.bearer_env] ?? '') : '';
  return githubComments(client.api(block, { known: { needs: '`pull-requests: write`.' } }), { repository, number, token });
}
