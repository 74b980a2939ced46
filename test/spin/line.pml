/*
 * One line of an apply: look, announce, create, look again where that is unclear, wait, record. Each label bears the name of the
 * chart's state that it stands for, or says that it stands beside the chart.
 */
#define NOTHING 0
#define RECORD 1
#define WITHDRAW 2
#define FORGET 3

/* A crash between any two steps: what the run has sent goes on its way. */
#define DIES :: atomic { r != LAST -> printf("run %d dies\n", r); goto gone }
/* A holder renews its lease in time, whatever its line is doing. */
#define RENEWS(here) \
  :: atomic { !renewed && fresh[r] && HOLDS(r) && heldFor[r] * 3 >= LEASE -> \
    printf("run %d renews its lease\n", r); renewed = true; takes(r); landed(r); goto here } \
  :: atomic { !renewed && !fresh[r] && HOLDS(r) && heldFor[r] * 3 >= LEASE -> renewed = true; refused(r, false); goto here }
/* The first signal: nothing new is sent, and the run ends with one more push. */
#define STOPS(then) :: atomic { r != LAST && !stopping -> printf("run %d is told to stop\n", r); stopping = true; complete = false; then }
#define TOO_LATE :: atomic { HOLDS(r) && !LASTS(r) -> printf("run %d sees that too little of its lease is left, and ends\n", r); goto gone }

/* A push came too late: another run wrote, and this one reads what. `isFact`: what it was to store rests on what it had read. */
inline refused(r, isFact) {
  if
  :: HOLDS(r) && !(isHeld && holder == r) -> printf("run %d finds that another one has the scope, and ends\n", r); goto gone
  :: (HOLDS(r) && isHeld && holder == r && (STANDS(r) || !(isFact))) || (!HOLDS(r) && !destroys && !rested && !(isFact) && STANDS(r)) ->
    printf("run %d reads the head that moved, and pushes again\n", r);
    reads(r)
  :: HOLDS(r) && isHeld && holder == r && !STANDS(r) && (isFact) -> goto overtaken
  :: !HOLDS(r) && !destroys && !rested && !(isFact) && !STANDS(r) -> printf("run %d is stale and ends\n", r); goto gone
  :: !HOLDS(r) && (rested || destroys || (isFact)) -> yields(r)
  fi
}

/* The same without a lease: a run that gave it back or is told to stop ends, any other one begins anew. */
inline yields(r) {
  if
  :: rested || stopping -> printf("run %d finds that the head moved, and ends\n", r); goto gone
  :: !rested && !stopping -> goto anew
  fi
}

inline refuses(r) {
  printf("run %d finds what it may not take, and is refused\n", r);
  complete = false;
  object[r] = NONE;
  goto ending
}

/* A refusal rests on what the ledger says, so it holds where nobody wrote since. */
inline confirms(r) {
  if
  :: fresh[r] || HOLDS(r)
  :: !fresh[r] && !HOLDS(r) -> goto anew
  fi
}

/* An interrupted create beside the recorded object: the announced one is to be gone on with. */
#define IS_BESIDE(r) (INTENT_COUNTS(r) && knownRecord[r] != NONE && whose[knownRecord[r]] != FREE && COUNT(NONE) == 2)
#define BUT(r) (IS_BESIDE(r) -> knownRecord[r] : NONE)
#define IS_RECORDED(r) (object[r] == knownRecord[r])

/* What a look found is judged (chart: line.judged, which is left at once). `many`: how many, `object[r]`: the first. */
inline judges(r) {
  if
  :: !RECORD_COUNTS(r) || many > 1 -> many = 0; confirms(r); refuses(r)
  :: RECORD_COUNTS(r) && many == 0 ->
    printf("run %d finds nothing\n", r);
    goto recordingIntent
  :: RECORD_COUNTS(r) && many == 1 && IS_RECORDED(r) ->
    printf("run %d finds what is recorded\n", r);
    many = 0;
    fact = (knownIntent[r] != NONE -> RECORD : NOTHING);
    goto ending
  :: RECORD_COUNTS(r) && many == 1 && !IS_RECORDED(r) && (!INTENT_COUNTS(r) || IS_CONTRADICTED(object[r])) -> many = 0; confirms(r); refuses(r)
  :: RECORD_COUNTS(r) && many == 1 && !IS_RECORDED(r) && INTENT_COUNTS(r) && !IS_CONTRADICTED(object[r]) ->
    printf("run %d finds what an earlier run announced, and claims it\n", r);
    many = 0;
    claims(knownIntent[r], true);
    goto awaiting
  fi
}

#ifdef CHAIN
#define BEFORE_ITS_LOOK chained
#else
#define BEFORE_ITS_LOOK observing
#endif

/* A look before the line's turn, also before its run holds the lease: that comes with a push on the head that the run has read. */
#define LOOKS_EARLY(r, next) \
  :: atomic { lookAge[r] == UNSEEN && knownIntent[r] == NONE && BELIEVES(r) -> \
      looked(r); \
      lookAge[r] = 0; \
      second = BUT(r); \
      many = COUNT(second); \
      object[r] = FIRST(second); \
      second = NONE; \
      printf("run %d looks early and sees %d\n", r, many); \
      goto next }

#ifdef FAULT_LOOK_UNAGED
#define IS_RECENT(r) true
#else
#define IS_RECENT(r) (lookAge[r] <= DEADLINE)
#endif

/* The line's turn: what an early look saw is judged now; that it saw nothing is good for one deadline, while nobody else wrote. */
inline comes(r) {
#ifdef EARLY_LOOK
  /* A person's object that stands for longer than that by now must not be taken for the line's own. */
  after = (personAge > DEADLINE -> after & (255 - BIT(r)) : after);
  if
  :: lookAge[r] == UNSEEN || (many == 0 && !IS_RECENT(r)) -> unsees(r); goto observing
  :: lookAge[r] != UNSEEN && (many > 0 || IS_RECENT(r)) -> lookAge[r] = UNSEEN; judges(r)
  fi
#else
  goto observing
#endif
}
inline unsees(r) {
#ifdef EARLY_LOOK
  lookAge[r] = UNSEEN;
  many = 0;
  object[r] = NONE
#else
  skip
#endif
}

/* What follows an answered or believed "not made": an intent of this run whose create cannot stand is withdrawn. */
#define ENDED_INTENT (mayStand -> NOTHING : WITHDRAW)

/* The intent and the lease come in one push. */
inline announces(r) {
  printf("run %d stores its intent under its lease\n", r);
  wasAnnounced = wasAnnounced || (INTENT_COUNTS(r) && knownIntent[r] != r);
  intent = r;
  sealsIntent();
  takes(r);
  landed(r)
}

/* What is still to be said, the receipt and the release. */
inline endsWith(r) {
  if
  :: fact == RECORD ->
    printf("run %d stores its record with its receipt, and ends\n", r);
    record = object[r];
    recordBy = r;
    intent = NONE;
    whose[object[r]] = (whose[object[r]] == THEIRS && wasMistaken -> OURS : whose[object[r]]);
    sealsRecord()
  :: fact == WITHDRAW ->
    printf("run %d stores that its intent is void, with its receipt, and ends\n", r);
    intent = NONE;
    sealsIntent()
  :: fact == FORGET ->
    printf("run %d stores that nothing is left, with its receipt, and ends\n", r);
    record = NONE;
    recordBy = NONE;
#ifndef FAULT_INTENT_LEFT
    intent = NONE;
#endif
    sealsRecord()
  :: fact == NOTHING -> printf("run %d stores its receipt and ends\n", r)
  fi;
  if
  :: HOLDS(r) || (isHeld && holder == r) -> gives(r)
  :: else
  fi;
  landed(r);
  judgesEnd(r)
}

proctype Run(byte r) {
  bool destroys;
  byte fact;
  byte tries;
  byte many;
  bool mayStand;
  bool wasAnnounced;
  bool isConflict;
  bool stopping;
  bool rested;
  bool renewed;
  bool complete;
  bool isDoubtful;
  byte second = NONE;

  atomic {
    IS_FIRST(r) || (r == LAST && over[A] && over[B]) ->
    begun[r] = true;
    if
    :: APPLIES(r) -> printf("run %d begins to apply and reads the ledger\n", r)
    :: DESTROYS(r) -> printf("run %d begins to destroy and reads the ledger\n", r); destroys = true
    fi;
    complete = true;
    waits[r] = true;
    reads(r)
  }

waiting: /* chart: line.waiting; the run waits until no other one has the scope */
  if
  :: atomic { !fresh[r] -> reads(r); goto waiting }
  :: atomic { fresh[r] && !BY_OTHER(r) -> waits[r] = false; goto enters }
  :: atomic { fresh[r] && BY_OTHER(r) && seen[r] >= LEASE - SKEW ->
      printf("run %d takes over the lease, which stood unchanged for its own length\n", r);
      takes(r);
      landed(r);
      waits[r] = false;
#ifndef FAULT_NO_QUIET
      quiet[r] = DEADLINE;
#endif
      goto enters }
#ifdef FAULT_NO_COMPARE
  :: atomic { BY_OTHER(r) && seen[r] >= LEASE - SKEW -> takes(r); landed(r); waits[r] = false; quiet[r] = DEADLINE; goto enters }
#endif
  DIES
  STOPS(goto gone)
  fi;

enters: /* beside the chart: facts that the seals name and the ledger lacks come back before any line looks */
  if
  :: atomic { !IS_ROBBED && destroys -> goto observingLedger }
  :: atomic { !IS_ROBBED && !destroys -> goto BEFORE_ITS_LOOK }
  :: atomic { IS_ROBBED && fresh[r] ->
      printf("run %d brings back what was taken out of the ledger\n", r);
      bringsBack();
      takes(r);
      landed(r);
      goto enters }
  :: atomic { IS_ROBBED && !fresh[r] && HOLDS(r) && !(isHeld && holder == r) -> goto gone }
  :: atomic { IS_ROBBED && !fresh[r] && (!HOLDS(r) || (isHeld && holder == r)) -> goto anew }
  DIES
  fi;

#include "chain.pml"
#include "apply.pml"
#include "destroy.pml"

overtaken: /* beside the chart: another run changed what this one was about to store, so its line fails */
  atomic {
    fact = NOTHING;
    complete = false;
    goto ending
  }

anew: /* beside the chart: all lines of the run begin anew, because another run wrote before this one had the lease */
  atomic {
    printf("run %d finds that the head moved, and begins anew\n", r);
    reads(r);
    fact = NOTHING;
#ifndef FAULT_LOOK_KEPT
    unsees(r);
    object[r] = NONE;
#endif
    second = NONE;
    waits[r] = true;
    goto waiting
  }

ending: /* chart: line.recording, line.recordingRemoval, line.recordingUnready, line.recordingInterrupted; the writer's last push */
  if
  :: atomic { MAY_LAND(r) && (HOLDS(r) || (fact == NOTHING && !destroys) || !BY_OTHER(r)) -> endsWith(r); goto gone }
  :: atomic { !MAY_LAND(r) -> refused(r, fact != NOTHING); goto ending }
  DIES
  fi;

gone: /* chart: line.settled, line.refused, line.failed, line.interrupted */
  atomic {
    leaves(r);
    destroys = false; fact = NOTHING; tries = 0; many = 0; mayStand = false; wasAnnounced = false; isConflict = false;
    stopping = false; rested = false; renewed = false; complete = false; isDoubtful = false; second = NONE;
    object[r] = NONE;
    forgets(r)
  }
}
