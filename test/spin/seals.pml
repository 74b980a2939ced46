/*
 * Seals: each push of a run names its facts in a list that only a holder of the key can write; the newest list is found in
 * older commits, whatever somebody puts in its place. The forger can push facts, and lists that were true once.
 * The runs here go by sealed facts alone.
 */
#ifdef SEALS
#ifndef FORGERIES
#define FORGERIES 1
#endif
/* The newest list: what it says of record and intent. */
byte sealedRecord = NONE;
byte sealedIntent = NONE;
/* An intent that a list named once, and that ended since. */
byte endedIntent = NONE;
byte forgeries;
bool isRecordSealed[RUNS];
bool isIntentSealed[RUNS];
#define IS_SEALED_INTENT (intent == sealedIntent OR_WAS_SEALED)

#ifdef FAULT_REPLAYED_SEAL
#define OR_WAS_SEALED || intent == endedIntent
#else
#define OR_WAS_SEALED
#endif

#ifdef FAULT_UNSEALED
#define MAY_ACT(isSealed) true
#else
#define MAY_ACT(isSealed) (isSealed)
#endif
#define RECORD_COUNTS(r) (knownRecord[r] == NONE || MAY_ACT(isRecordSealed[r]))
#define INTENT_COUNTS(r) (knownIntent[r] != NONE && MAY_ACT(isIntentSealed[r]))

inline trusts(r) {
  isRecordSealed[r] = record != NONE && record == sealedRecord;
  isIntentSealed[r] = intent != NONE && IS_SEALED_INTENT
}

/* A push of a run names in its list what it stores. */
inline sealsIntent() {
  endedIntent = (sealedIntent != NONE && sealedIntent != intent -> sealedIntent : endedIntent);
  endedIntent = (endedIntent == intent -> NONE : endedIntent);
  sealedIntent = intent
}
inline sealsRecord() {
  sealedRecord = record;
  sealsIntent()
}

/* Facts that the newest list names and the ledger lacks. */
#define LACKS_RECORD (sealedRecord != NONE && record != sealedRecord)
#ifdef FAULT_INTENT_UNMISSED
#define LACKS_INTENT (sealedIntent != NONE && intent == NONE && record == NONE)
#else
#define LACKS_INTENT (sealedIntent != NONE && intent != sealedIntent)
#endif
#define IS_ROBBED (LACKS_RECORD || LACKS_INTENT)

/* They come back where what they name may stand; else the list is put right. */
inline bringsBack() {
  if
  :: LACKS_INTENT -> intent = sealedIntent
  :: else
  fi;
  if
  :: LACKS_RECORD && whose[sealedRecord] != FREE ->
    record = sealedRecord;
    recordBy = EARLIER
  :: LACKS_RECORD && whose[sealedRecord] == FREE -> sealedRecord = NONE
  :: else
  fi
}
#define ANNOUNCED(r) (intent == r || sealedIntent == r)
/* The newest list vouches for what is deleted: it names the object, or the intent through which it was found. */
inline dooms(r) {
  isDoubtful = !(sealedRecord == object[r] || (sealedIntent != NONE && sealedIntent == knownIntent[r]))
}

/* Somebody who can push, and has no key. */
#define MAY_FORGE (forgeries < FORGERIES && !begun[LAST])
#define IS_THEIRS(i) (whose[i] == THEIRS)
#define FIRST_OF_THEIRS (IS_THEIRS(0) -> 0 : (IS_THEIRS(1) -> 1 : (IS_THEIRS(2) -> 2 : (IS_THEIRS(3) -> 3 : 4))))
inline forges() {
  forgeries++;
  fresh[A] = false;
  fresh[B] = false;
  fresh[LAST] = false
}
#else
#define RECORD_COUNTS(r) true
#define INTENT_COUNTS(r) (knownIntent[r] != NONE)
#define ANNOUNCED(r) (intent == r)
inline dooms(r) {
  skip
}
#define IS_ROBBED false
inline bringsBack() {
  skip
}
inline trusts(r) {
  skip
}
inline sealsIntent() {
  skip
}
inline sealsRecord() {
  skip
}
#endif
