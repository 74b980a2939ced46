/*
 * The ledger of one scope: facts on a branch whose head moves by compare-and-swap, the lease, and the quiet moment.
 * Time is counted in parts of a request's deadline.
 */
#ifndef DEADLINE
#define DEADLINE 2
#endif
#ifndef LEASE
#define LEASE 4
#endif
/* By how much two clocks may disagree over one lease. */
#define SKEW 1
/* Sends of one create or delete. */
#ifndef SENDS
#define SENDS 2
#endif

/* Two runs that everything disturbs, and the one that comes when both have ended and that nothing disturbs. */
#define A 0
#define B 1
#define LAST 2
#define RUNS 3
/* Whoever acted before the model begins, and who only pushes what he likes. */
#define EARLIER 3
#define FORGER 4
#define NONE 7

byte record = NONE;
/* The run that wrote the record: a fact is replayed only on the one that it was made from. */
byte recordBy = NONE;
byte intent = NONE;
byte holder = NONE;
bool isHeld;
/* How long an unanswered write of the last holder may still land. */
byte quietFor;

byte knownRecord[RUNS] = NONE;
byte knownBy[RUNS] = NONE;
byte knownIntent[RUNS] = NONE;
/* The head is still the one that the run read. */
bool fresh[RUNS];
/* Time since the push that took or renewed the lease was sent. */
#define UNHELD 15
byte heldFor[RUNS] = UNHELD;
/* While it waits for its turn: time since it saw this head first. */
bool waits[RUNS];
byte seen[RUNS];
/* Before it is over no write is sent and no absence is believed. */
byte quiet[RUNS];
/* How long a write of its own without an answer may still land. */
byte unanswered[RUNS];
#ifdef EARLY_LOOK
/* Time since the early look of its line. */
#define UNSEEN 15
byte lookAge[RUNS] = UNSEEN;
#endif
bool begun[RUNS];
bool over[RUNS];

#define BY_OTHER(r) (isHeld && holder != r)
#define HOLDS(r) (heldFor[r] != UNHELD)
#define MAX(a, b) ((a) > (b) -> (a) : (b))

#ifdef FAULT_NO_COMPARE
#define MAY_LAND(r) true
#else
#define MAY_LAND(r) fresh[r]
#endif

#ifdef FAULT_NO_MARGIN
#define MARGIN 0
#else
#define MARGIN DEADLINE
#endif
#define LASTS(r) (HOLDS(r) && heldFor[r] + MARGIN <= LEASE)
#define MAY_SEND(r) (quiet[r] == 0 && LASTS(r))

inline know(r) {
  knownRecord[r] = record;
  knownBy[r] = recordBy;
  knownIntent[r] = intent;
  fresh[r] = true;
  seen[r] = 0
}

inline reads(r) {
  know(r);
  trusts(r);
  if
  :: !isHeld && holder != r -> quiet[r] = MAX(quiet[r], quietFor)
  :: else
  fi
}

#define STANDS(r) (knownBy[r] == recordBy && knownRecord[r] == record && knownIntent[r] == intent)

/* The push of this run landed: everybody else has read an older head. */
inline landed(r) {
  fresh[A] = false;
  fresh[B] = false;
  fresh[LAST] = false;
  know(r);
  trusts(r)
}

inline takes(r) {
  holder = r;
  isHeld = true;
  quietFor = 0;
  heldFor[r] = 0
}

/* The release hands on what is left of an earlier run's quiet moment, too. */
inline gives(r) {
  holder = r;
  isHeld = false;
  quietFor = MAX(unanswered[r], quiet[r]);
  heldFor[r] = UNHELD
}

/* All that only this run knew is gone. */
inline forgets(r) {
  knownRecord[r] = NONE;
  knownBy[r] = NONE;
  knownIntent[r] = NONE;
  fresh[r] = false;
  heldFor[r] = UNHELD;
  waits[r] = false;
  seen[r] = 0;
  quiet[r] = 0;
  unanswered[r] = 0;
#ifdef EARLY_LOOK
  lookAge[r] = UNSEEN;
#endif
  over[r] = true
}
