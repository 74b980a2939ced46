/** The whole id of a commit: 40 hex digits in a repository with SHA-1, 64 in one with SHA-256. JSON schemas take it as it is. */
export const commitIdPattern = '^(?:[0-9a-f]{40}|[0-9a-f]{64})$';

const whole = new RegExp(commitIdPattern);

/** Whether a text is the whole id of a commit, in lower case as git writes it. */
export const isCommitId = (text: string): boolean => whole.test(text);
