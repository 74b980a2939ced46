/** A bundle holds these of isomorphic-git, and leaves out the rest. */
export { Errors, fetch } from 'isomorphic-git';
