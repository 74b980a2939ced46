/** A bundle holds these of isomorphic-git, and leaves out the rest. */
export { deleteRef, Errors, fetch, init, readBlob, readCommit, readObject, readTree, setConfig } from 'isomorphic-git';
