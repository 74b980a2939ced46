/** Ends of names, in snake case, under which providers and frameworks expect a secret. */
const secretName =
  /(^|_)(token|secret|password|passwd|passphrase|credentials?|dsn|api_?key|private_key|secret_key|access_key|signing_key|encryption_key)$/;
const secretVariable = /^[A-Z][A-Z0-9_]*_(TOKEN|SECRET|KEY|PASSWORD|PASS|DSN)$/;

/** Beginnings that providers give to credentials so that they are recognised in the wrong place. */
const credentialForms = [
  /\b[sr]k_(live|test)_[A-Za-z0-9]{4,}/,
  /\bwhsec_[A-Za-z0-9+/]{16,}/,
  /\bgh[pousr]_[A-Za-z0-9]{8,}/,
  /\bgithub_pat_[A-Za-z0-9_]{8,}/,
  /\bglpat-[A-Za-z0-9_-]{8,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{4,}/,
  /\b(AKIA|ASIA)[A-Z0-9]{12,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
];
/** All forms in one pattern, because every text of a plan is checked. */
const credentialForm = new RegExp(credentialForms.map((form) => form.source).join('|'));

/** Whether a text has the form that a provider gives its credentials, or is an address with a password. */
export const isCredential = (text: string): boolean => credentialForm.test(text) || hasUrlPassword(text);

/** `postgres://user:password@host`. Each `://` is checked once, so that the cost grows only with the length of the text. */
function hasUrlPassword(text: string): boolean {
  const userInfo = /[^\s/?#:@]*:([^\s/?#@]+)@/y;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    userInfo.lastIndex = at + 3;
    const password = userInfo.exec(text)?.[1];
    if (password !== undefined && !/^\$\{[^}]*\}$/.test(password)) return true;
  }
  return false;
}

/** Whether providers and frameworks expect a secret under this name. Thousands of lines share a few names, so answers are kept. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const verdict = namesSecret(name);
  judged.set(name, verdict);
  return verdict;
}

const judged = new Map<string, boolean>();

function namesSecret(name: string): boolean {
  if (secretVariable.test(name)) return true;
  const last = name.slice(name.lastIndexOf('/') + 1);
  const snake = last
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  // `*_env` names a variable and holds none of its value.
  return !snake.endsWith('_env') && secretName.test(snake);
}
