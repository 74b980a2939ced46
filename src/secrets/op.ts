import { commandSource } from './by-command.ts';

/**
 * `op://<vault>/<item>[/<section>]/<field>`: a field of a 1Password item, by its CLI, which takes the reference as it is.
 * https://developer.1password.com/docs/cli/secret-reference-syntax
 */
export const opSource = commandSource<{ readonly reference: string }>({
  scheme: 'op',
  form: 'op://<vault>/<item>[/<section>]/<field>',
  question: (segments, key) => {
    if (segments.length < 3 || segments.length > 4 || key !== null) return 'it does not name a vault, an item and a field.';
    // The CLI has no escapes: another character would make it read another reference.
    if (!segments.every((segment) => /^[\p{L}\p{N}_. -]+$/u.test(segment))) {
      return 'the CLI knows letters, digits, spaces, `-`, `_` and `.` in a reference; the unique id stands for a name with another character.';
    }
    return { reference: `op://${segments.join('/')}` };
  },
  argv: ({ reference }) => ['op', 'read', '--no-newline', reference],
  read: (stdout) => ({ value: stdout }),
  fix: 'Set OP_SERVICE_ACCOUNT_TOKEN, or run `op signin`, and check the vault, the item and the field.',
});
