/** The ways in which providers are known to differ from what they were sent, each in a sentence. */
export const kinds = {
  'case-folded': 'letters change their case',
  'host-respelled': 'a host name is written in another form',
  'url-normalised': 'a URL is parsed and written anew',
  'synonym-respelled': 'another word or unit stands for the same',
  trimmed: 'outer spaces go',
  stringified: 'a number, a boolean or an object becomes text, or a text a number',
  'scalar-or-list': 'one value and a list of one stand for each other, or a list and a joined text',
  'set-semantics': 'the order of a list is lost, or an entry stands twice',
  'default-filled': 'a member that was not sent comes back',
  'default-dropped': 'a value that is the default is left out',
  'empty-respelled': 'an empty value comes back as another empty value',
  'empty-special': 'an empty value is refused, or changes nothing',
  'sibling-decides': 'one field decides what another one shows',
  'silently-dropped': 'a write succeeds, and a value of it is not kept',
  'secret-hidden': 'a mask or nothing stands where a secret was sent',
  'secret-ciphertext': 'a cipher text stands where a secret was sent',
  'shown-otherwise': 'a value is kept, and shown in another form or place',
  'answer-differs': 'the answer to a write says other than a read',
  'late-read': 'a read shows a write some time later',
  'late-effect': 'a write is answered before it is done',
  'partial-list': 'a page holds fewer entries than asked for',
  'unsent-reset': 'an update resets what it does not carry',
  'soft-delete': 'a deleted object is answered in another way than an absent one',
  'write-does-more': 'a write makes something that it did not name',
} as const;

export type Kind = keyof typeof kinds;
