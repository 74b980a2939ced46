/*
 * One list at a provider that two scopes write whole: lock, read, write, read again, release. Each scope runs once, wants its entry
 * to stand or to go, may die at any step, be slow, and lose answers; the provider says "done" once and stores nothing.
 */
#ifndef DEADLINE
#define DEADLINE 2
#endif
#ifndef LEASE
#define LEASE 4
#endif
#define SKEW 1
#ifndef SENDS
#define SENDS 2
#endif
#ifndef WRITES
#define WRITES 2
#endif

#define A 0
#define B 1
#define NONE 7
#define MAX(a, b) ((a) > (b) -> (a) : (b))

/* Entries as bits: a person's, and one of each scope. */
#define PERSONS 1
#define ENTRY(r) (2 << r)
byte list = PERSONS;
bool wanted[2];
#define AS_WANTED(r, x) (wanted[r] -> (x) | ENTRY(r) : (x) & (7 - ENTRY(r)))

/* The lock names its holder, how long it lasts, and for how long a write under it may still land. */
byte holder = NONE;
bool isHeld;
byte quietFor;
byte length;

bool fresh[2];
#define UNHELD 15
byte heldFor[2] = UNHELD;
byte lasts[2];
bool waits[2];
byte seen[2];
byte quiet[2];
byte unanswered[2];

/* The write that a run waits for, and those that nobody waits for any more. */
bool writes[2];
byte age[2];
byte body[2];
bool isSaid[2];
bool wasDropped;
#define LATES 4
bool flies[LATES];
byte lateAge[LATES];
byte lateBody[LATES];

bool begun[2];
bool over[2];
bool settled[2];

#define HOLDS(r) (heldFor[r] != UNHELD)
#define LASTS(r) (HOLDS(r) && heldFor[r] + DEADLINE <= lasts[r])
#define IN_TIME(r) (writes[r] && !isSaid[r] && age[r] < DEADLINE)
#define BY_OTHER(r) (isHeld && holder != r)
#define MAY_SEND(r) (quiet[r] == 0 && LASTS(r))

#define STANDS(r) ((list & ENTRY(r)) != 0)
#define kept ((!settled[A] || STANDS(A) == wanted[A]) && (!settled[B] || STANDS(B) == wanted[B]))
#define personsStays ((list & PERSONS) != 0)
#define oneWriter (!(MAY_SEND(A) && MAY_SEND(B)))

ltl entryIsKept { [] kept }
ltl foreignIsLeft { [] personsStays }
ltl oneWriterAtOnce { [] oneWriter }
ltl safe { [] (kept && personsStays && oneWriter) }
ltl ends { <> (over[A] && over[B]) }

#define DIES :: atomic { printf("run %d dies\n", r); isGood = false; goto gone }

inline takes(r, waiting) {
  quiet[r] = waiting;
  length = LEASE + quiet[r];
  lasts[r] = length;
  heldFor[r] = 0;
  holder = r;
  isHeld = true;
  quietFor = 0;
  waits[r] = false;
  seen[r] = 0;
  fresh[1 - r] = false
}

inline hears(r) {
  writes[r] = false;
  isSaid[r] = false;
  age[r] = 0
}

inline leavesAt(k) {
  flies[k] = true;
  lateAge[k] = age[r];
  lateBody[k] = body[r]
}

inline leaves(r) {
  if
  :: IN_TIME(r) && !flies[0] -> leavesAt(0)
  :: IN_TIME(r) && flies[0] && !flies[1] -> leavesAt(1)
  :: IN_TIME(r) && flies[0] && flies[1] && !flies[2] -> leavesAt(2)
  :: IN_TIME(r) && flies[0] && flies[1] && flies[2] && !flies[3] -> leavesAt(3)
  :: IN_TIME(r) && flies[0] && flies[1] && flies[2] && flies[3] -> assert(false) /* LATES is too small. */
  :: !IN_TIME(r)
  fi;
  hears(r)
}

proctype Parent(byte r) {
  byte tries;
  byte written;
  bool isGood;

idle: /* chart: parent.idle */
  atomic {
    r == A || begun[A] ->
    begun[r] = true;
    if
    :: wanted[r] -> printf("run %d wants its entry to stand\n", r)
    :: !wanted[r] -> printf("run %d wants its entry to go\n", r)
    fi
  }

gathering: /* chart: parent.gathering */
  if
  :: atomic {
#ifdef FAULT_READ_UNLOCKED
      body[r] = AS_WANTED(r, list);
#endif
      goto locking }
  DIES
  fi;

locking: /* chart: parent.locking */
  if
  :: atomic { !fresh[r] -> fresh[r] = true; seen[r] = 0; waits[r] = BY_OTHER(r); goto locking }
  :: atomic { fresh[r] && !BY_OTHER(r) -> printf("run %d takes the lock\n", r); takes(r, quietFor); goto reading }
  :: atomic { fresh[r] && BY_OTHER(r) && seen[r] >= length - SKEW ->
      printf("run %d takes over the lock, which stood unchanged for its own length\n", r);
#ifdef FAULT_LOCK_NOT_QUIET
      takes(r, 0);
#else
      takes(r, DEADLINE);
#endif
      goto reading }
  DIES
  fi;

reading: /* chart: parent.reading */
  if
  :: atomic { quiet[r] == 0 ->
      printf("run %d reads the list under the lock\n", r);
#ifdef FAULT_READ_UNLOCKED
      body[r] = (written == 0 -> body[r] : AS_WANTED(r, list));
#else
      body[r] = AS_WANTED(r, list);
#endif
      if
      :: body[r] == list -> isGood = true; goto unlocking
      :: body[r] != list -> tries = 0; goto writing
      fi }
  DIES
  fi;

writing: /* chart: parent.writing; the list is to be sent */
  if
  :: atomic { MAY_SEND(r) -> printf("run %d sends the list\n", r); tries++; writes[r] = true; goto sent }
  :: atomic { HOLDS(r) && !LASTS(r) -> printf("run %d sees that too little of its lock is left\n", r); goto gone }
  DIES
  fi;

sent: /* chart: parent.writing; the answer is awaited */
  if
  :: atomic { isSaid[r] -> hears(r); written++;
#ifdef FAULT_RELEASED_UNREAD
      isGood = true;
      goto unlocking
#else
      goto verifying
#endif
    }
  :: atomic {
      printf("run %d loses the answer of its write\n", r);
      unanswered[r] = (isSaid[r] -> unanswered[r] : MAX(unanswered[r], DEADLINE - age[r]));
      leaves(r);
      if
      :: tries < SENDS -> goto writing
      :: tries >= SENDS -> goto unlocking
      fi }
  DIES
  fi;

verifying: /* chart: parent.verifying */
  if
  :: atomic { AS_WANTED(r, list) == list -> printf("run %d sees its entry as it wants it\n", r); isGood = true; goto unlocking }
  :: atomic { AS_WANTED(r, list) != list && written < WRITES -> printf("run %d misses its write\n", r); goto reading }
  :: atomic { AS_WANTED(r, list) != list && written >= WRITES -> printf("run %d misses its write and gives up\n", r); goto unlocking }
  DIES
  fi;

unlocking: /* chart: parent.unlocking */
  if
  :: atomic { fresh[r] ->
#ifdef FAULT_UNLOCKED_EARLY
      quietFor = 0;
#else
      quietFor = unanswered[r];
#endif
      printf("run %d releases the lock (quiet for %d)\n", r, quietFor);
      isHeld = false;
      heldFor[r] = UNHELD;
      fresh[1 - r] = false;
      goto gone }
  :: atomic { !fresh[r] -> printf("run %d finds its lock taken over\n", r); heldFor[r] = UNHELD; goto gone }
  DIES
  fi;

gone: /* chart: parent.answering */
  atomic {
    leaves(r);
    settled[r] = isGood;
    over[r] = true;
    fresh[r] = false; heldFor[r] = UNHELD; lasts[r] = 0; waits[r] = false; seen[r] = 0; quiet[r] = 0; unanswered[r] = 0; body[r] = 0;
    tries = 0; written = 0; isGood = false
  }
}

#define OLD(r) (HOLDS(r) && heldFor[r] + DEADLINE <= lasts[r])
#define AWAITS(r) (waits[r] && fresh[r] && BY_OTHER(r) && seen[r] < length - SKEW)
#define COUNTS(r) (OLD(r) || AWAITS(r) || quiet[r] > 0 || unanswered[r] > 0 || IN_TIME(r))

inline older(r) {
  heldFor[r] = (OLD(r) -> heldFor[r] + 1 : heldFor[r]);
  seen[r] = (AWAITS(r) -> seen[r] + 1 : seen[r]);
  quiet[r] = (quiet[r] > 0 -> quiet[r] - 1 : 0);
  unanswered[r] = (unanswered[r] > 0 -> unanswered[r] - 1 : 0);
  age[r] = (IN_TIME(r) -> age[r] + 1 : age[r])
}

inline vanishes(k) {
  flies[k] = false;
  lateAge[k] = 0;
  lateBody[k] = 0
}

inline ages(k) {
  if
  :: flies[k] && lateAge[k] + 1 < DEADLINE -> lateAge[k]++
  :: flies[k] && lateAge[k] + 1 >= DEADLINE -> vanishes(k)
  :: !flies[k]
  fi
}

proctype World() {
end: /* beside the chart: time, the provider */
  do
  :: d_step { COUNTS(A) || COUNTS(B) || flies[0] || flies[1] || flies[2] || flies[3] -> printf("time passes\n"); older(A); older(B); ages(0); ages(1); ages(2); ages(3) }
  :: d_step { IN_TIME(A) -> printf("the list of run 0 lands\n"); list = body[A]; isSaid[A] = true }
  :: d_step { IN_TIME(B) -> printf("the list of run 1 lands\n"); list = body[B]; isSaid[B] = true }
  :: d_step { IN_TIME(A) && !wasDropped -> printf("the provider says done to run 0 and stores nothing\n"); wasDropped = true; isSaid[A] = true }
  :: d_step { IN_TIME(B) && !wasDropped -> printf("the provider says done to run 1 and stores nothing\n"); wasDropped = true; isSaid[B] = true }
  :: d_step { flies[0] -> printf("a late list lands\n"); list = lateBody[0]; vanishes(0) }
  :: d_step { flies[1] -> printf("a late list lands\n"); list = lateBody[1]; vanishes(1) }
  :: d_step { flies[2] -> printf("a late list lands\n"); list = lateBody[2]; vanishes(2) }
  :: d_step { flies[3] -> printf("a late list lands\n"); list = lateBody[3]; vanishes(3) }
  od
}

init {
  atomic {
    if :: wanted[A] = true :: wanted[A] = false; list = list | ENTRY(A) fi;
    if :: wanted[B] = true :: wanted[B] = false; list = list | ENTRY(B) fi;
    run World();
    run Parent(A);
    run Parent(B)
  }
}
