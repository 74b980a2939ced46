import { empty, flawsOf, json, refuse, Unreadable } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import type { Route } from '../kit/router.ts';
import { docs, door, page, placeOf, refusal, repositoryOf } from './doors.ts';
import { shownComment } from './shown.ts';
import { type CiState, type Comment, nextId, type Repository, timeOf } from './state.ts';

/** Characters that a comment may have. */
const longest = 65_536;

/** https://docs.github.com/en/rest/issues/comments: a pull request is an issue there. Anybody who may write may change any comment. */
export const commentDoors = (origin: string): readonly Route<CiState>[] => [
  door('GET', '/repos/{owner}/{repo}/issues/{number}/comments', (call) => {
    const repository = repositoryOf(call);
    mustBeThere(repository, call.params.number);
    const all = repository.comments.filter(({ number }) => String(number) === call.params.number);
    return page(
      origin,
      call,
      all.map((comment) => shownComment(placeOf(origin, call), comment)),
    );
  }),
  door('POST', '/repos/{owner}/{repo}/issues/{number}/comments', (call) => {
    const repository = repositoryOf(call);
    mustBeThere(repository, call.params.number);
    const number = Number(call.params.number);
    if (repository.locked.includes(number)) throw refusal(403, 'Unable to create comment because issue is locked.');
    const at = timeOf(call.now);
    const comment: Comment = {
      id: nextId(call.state),
      number,
      body: bodyOf(call.body),
      author: call.by,
      created_at: at,
      updated_at: at,
    };
    repository.comments.push(comment);
    const shown = shownComment(placeOf(origin, call), comment);
    return json(201, shown, { location: `${origin}/repos/${call.params.owner}/${call.params.repo}/issues/comments/${comment.id}` });
  }),
  door('GET', '/repos/{owner}/{repo}/issues/comments/{id}', (call) => json(200, shownComment(placeOf(origin, call), commentOf(call)))),
  door('PATCH', '/repos/{owner}/{repo}/issues/comments/{id}', (call) => {
    const comment = commentOf(call);
    comment.body = bodyOf(call.body);
    comment.updated_at = timeOf(call.now);
    return json(200, shownComment(placeOf(origin, call), comment));
  }),
  door('DELETE', '/repos/{owner}/{repo}/issues/comments/{id}', (call) => {
    const { comments } = repositoryOf(call);
    comments.splice(comments.indexOf(commentOf(call)), 1);
    return empty();
  }),
];

function mustBeThere({ pulls }: Repository, number: string): void {
  if (!pulls.some((pull) => String(pull.number) === number)) throw refusal(404, 'Not Found');
}

function commentOf(call: Parameters<typeof repositoryOf>[0] & { readonly params: { readonly id: string } }): Comment {
  const comment = repositoryOf(call).comments.find(({ id }) => String(id) === call.params.id);
  if (!comment) throw refusal(404, 'Not Found');
  return comment;
}

function bodyOf(body: unknown): string {
  if (body instanceof Unreadable || !isMap(body)) throw refusal(400, 'Problems parsing JSON');
  const invalid = (message: string): Error =>
    refuse(422, {
      message: 'Validation Failed',
      errors: [{ resource: 'IssueComment', code: 'unprocessable', field: 'data', message }],
      documentation_url: docs,
      status: '422',
    });
  const [flaw] = flawsOf(body, { fields: { body: 'string' }, required: ['body'] });
  if (flaw) throw invalid(`${flaw.at.slice(1)} is not a ${flaw.expected}`);
  const text = String(body.body);
  if (text.trim() === '') throw invalid("Body can't be blank");
  if ([...text].length > longest) throw invalid(`Body is too long (maximum is ${longest} characters)`);
  return text;
}
