/*
 * The provider: objects of one name, requests that land at any time within their deadline, also when nobody waits for the
 * answer any more, and a person who uses the same name.
 */
#define OBJECTS 5
#define FREE 0
#define OURS 1
#define THEIRS 2
byte whose[OBJECTS];
#define STANDING(i, x) (i != (x) && whose[i] != FREE)
#define COUNT(x) (STANDING(0, x) + STANDING(1, x) + STANDING(2, x) + STANDING(3, x) + STANDING(4, x))
#define FIRST(x) (STANDING(0, x) -> 0 : (STANDING(1, x) -> 1 : (STANDING(2, x) -> 2 : (STANDING(3, x) -> 3 : (STANDING(4, x) -> 4 : NONE)))))
#define MADE_BY_US ((whose[0] == OURS) + (whose[1] == OURS) + (whose[2] == OURS) + (whose[3] == OURS) + (whose[4] == OURS))

/* Some providers refuse a second object of one name. */
#ifdef UNIQUE
#define IS_TAKEN (COUNT(NONE) > 0)
#else
#define IS_TAKEN false
#endif

#define CREATE 1
#define DELETE 2
/* The request that a run waits for; `object` is what it deletes, or what the run has found or made. */
byte does[RUNS];
byte age[RUNS];
byte object[RUNS] = NONE;
#define UNSAID 0
#define DONE 1
#define CONFLICT 2
#define REFUSED 3
byte said[RUNS];
#define IN_TIME(r) (does[r] != 0 && said[r] == UNSAID && age[r] < DEADLINE)

/* Requests whose senders are dead or gave up. */
#define LATES 3
byte lateDoes[LATES];
byte lateAge[LATES];
byte lateObject[LATES] = NONE;
#define FLIES(k) (lateDoes[k] != 0)
#define NONE_FLIES (!FLIES(0) && !FLIES(1) && !FLIES(2) && does[A] == 0 && does[B] == 0 && does[LAST] == 0)

/* The person's object: made long ago, or after the looks of these runs (bits), so that no look could tell. */
bool personActed;
byte made;
bool isOld;
byte after;
byte personAge;
/* A run claimed it through an intent whose create may stand and whose look was before it: the window that remains. */
bool wasMistaken;
#define BIT(r) (1 << r)

#ifdef SEALS
#define SEALED_NAMES(i) (sealedRecord == i)
#else
#define SEALED_NAMES(i) false
#endif
#define NAMED(i) (record == i || knownRecord[A] == i || knownRecord[B] == i || knownRecord[LAST] == i || \
  object[A] == i || object[B] == i || object[LAST] == i || lateObject[0] == i || lateObject[1] == i || lateObject[2] == i || SEALED_NAMES(i))
#define UNUSED(i) (whose[i] == FREE && !NAMED(i))

/* What the monitors of claims.pml have seen. */
bool foreignTaken;
bool unannounced;
bool unsealedDeleted;

inline makes(i, maker) {
  if
  :: UNUSED(0) -> i = 0
  :: else -> if
    :: UNUSED(1) -> i = 1
    :: else -> if
      :: UNUSED(2) -> i = 2
      :: else -> if
        :: UNUSED(3) -> i = 3
        :: else -> if
          :: UNUSED(4) -> i = 4
          :: else -> assert(false) /* OBJECTS is too small. */
          fi
        fi
      fi
    fi
  fi;
  whose[i] = maker
}

inline deletes(i) {
  if
  :: whose[i] == THEIRS && !wasMistaken -> foreignTaken = true
  :: else
  fi;
  whose[i] = FREE
}

inline sends(r, what) {
  does[r] = what;
  age[r] = 0;
  said[r] = UNSAID
}

inline hears(r) {
  does[r] = 0;
  age[r] = 0;
  said[r] = UNSAID
}

/* Nobody waits for the answer any more; what did not land yet goes on its way. */
inline leaves(r) {
  if
  :: IN_TIME(r) ->
    if
    :: !FLIES(0) -> lateDoes[0] = does[r]; lateAge[0] = age[r]; lateObject[0] = (does[r] == DELETE -> object[r] : NONE)
    :: FLIES(0) && !FLIES(1) -> lateDoes[1] = does[r]; lateAge[1] = age[r]; lateObject[1] = (does[r] == DELETE -> object[r] : NONE)
    :: FLIES(0) && FLIES(1) && !FLIES(2) -> lateDoes[2] = does[r]; lateAge[2] = age[r]; lateObject[2] = (does[r] == DELETE -> object[r] : NONE)
    :: FLIES(0) && FLIES(1) && FLIES(2) -> assert(false) /* LATES is too small. */
    fi
  :: else
  fi;
  hears(r)
}

inline lands(r) {
  if
  :: does[r] == DELETE ->
    printf("the delete of run %d lands\n", r);
    deletes(object[r]);
    said[r] = DONE
  :: does[r] == CREATE && IS_TAKEN ->
    printf("the create of run %d is answered: it exists already\n", r);
    said[r] = CONFLICT
  :: does[r] == CREATE && !IS_TAKEN ->
    printf("the create of run %d lands\n", r);
    makes(object[r], OURS);
    said[r] = DONE
  fi
}

inline landsLate(k) {
  if
  :: lateDoes[k] == DELETE ->
    printf("a late delete lands\n");
    deletes(lateObject[k])
  :: lateDoes[k] == CREATE && IS_TAKEN -> printf("a late create is refused as a duplicate\n")
  :: lateDoes[k] == CREATE && !IS_TAKEN ->
    printf("a late create lands\n");
    makes(lateObject[k], OURS)
  fi;
  vanishes(k)
}

inline vanishes(k) {
  lateDoes[k] = 0;
  lateAge[k] = 0;
  lateObject[k] = NONE
}

/* The provider tells when it was made, and that was long before the intent. */
#define IS_CONTRADICTED(i) (whose[i] == THEIRS && isOld)

/* What run `r` found through the intent of `k` is taken for ours. */
inline claims(k, isPossible) {
  if
  :: whose[object[r]] == THEIRS && (isOld || !(isPossible) || (after & BIT(k)) == 0) -> foreignTaken = true
  :: whose[object[r]] == THEIRS && !(isOld || !(isPossible) || (after & BIT(k)) == 0) -> wasMistaken = true
  :: else
  fi
}

inline looked(r) {
  after = after & (255 - BIT(r))
}
