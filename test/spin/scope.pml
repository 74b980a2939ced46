/*
 * The protocol for one object of one scope: two runs that may die at any step, be told to stop, be slow, and lose answers, then one
 * that nothing disturbs. README.md says how the parts go together and what is left out.
 */
#include "ledger.pml"
#include "provider.pml"
#include "seals.pml"

/* What each run is for: one that applies beside one that destroys, or any two. The last one is either. */
#ifdef APPLY_BESIDE_DESTROY
#define APPLIES(r) (r != B)
#define DESTROYS(r) (r != A)
#define IS_FIRST(r) (r == A || r == B)
#else
#define APPLIES(r) true
#define DESTROYS(r) true
/* Two runs of any kind are alike but for their names, so one may be the first to begin. */
#define IS_FIRST(r) (r == A || (r == B && begun[A]))
#endif

#ifdef FAULT_EARLY_ABSENCE
#define BELIEVES(r) true
#define LANDED_BY_NOW(r) true
#else
#define BELIEVES(r) (quiet[r] == 0)
#define LANDED_BY_NOW(r) (unanswered[r] == 0)
#endif

#include "claims.pml"
#include "line.pml"

/* Time passes only where somebody's count would change, and not while the undisturbed run could go on. */
#define OLD(r) (HOLDS(r) && heldFor[r] <= LEASE - MARGIN)
#define AWAITS(r) (waits[r] && fresh[r] && BY_OTHER(r) && seen[r] < LEASE - SKEW)
#define COUNTS(r) (OLD(r) || AWAITS(r) || quiet[r] > 0 || unanswered[r] > 0 || SAW(r) || (does[r] != 0 && said[r] == UNSAID && age[r] < DEADLINE))
#ifdef EARLY_LOOK
#define SAW(r) (lookAge[r] <= DEADLINE)
#define IS_YOUNG (personActed && personAge <= DEADLINE && !begun[LAST])
#else
#define SAW(r) false
#define IS_YOUNG false
#endif
#define PASSES (IS_YOUNG || COUNTS(A) || COUNTS(B) || COUNTS(LAST) || FLIES(0) || FLIES(1) || FLIES(2))
#define IS_SLOW (!begun[LAST] || over[LAST] || quiet[LAST] > 0 || AWAITS(LAST))

inline older(r) {
  heldFor[r] = (OLD(r) -> heldFor[r] + 1 : heldFor[r]);
  seen[r] = (AWAITS(r) -> seen[r] + 1 : seen[r]);
  quiet[r] = (quiet[r] > 0 -> quiet[r] - 1 : 0);
  unanswered[r] = (unanswered[r] > 0 -> unanswered[r] - 1 : 0);
#ifdef EARLY_LOOK
  lookAge[r] = (SAW(r) -> lookAge[r] + 1 : lookAge[r]);
#endif
  age[r] = (does[r] != 0 && said[r] == UNSAID && age[r] < DEADLINE -> age[r] + 1 : age[r])
}

inline ages(k) {
  if
  :: FLIES(k) && lateAge[k] + 1 < DEADLINE -> lateAge[k]++
  :: FLIES(k) && lateAge[k] + 1 >= DEADLINE -> vanishes(k)
  :: !FLIES(k)
  fi
}

proctype World() {
end: /* beside the chart: time, the provider, a person, a forger */
  do
  :: d_step { PASSES && IS_SLOW -> printf("time passes\n"); older(A); older(B); older(LAST); ages(0); ages(1); ages(2); personAge = (IS_YOUNG -> personAge + 1 : personAge) }
  :: d_step { IN_TIME(A) -> lands(A) }
  :: d_step { IN_TIME(B) -> lands(B) }
  :: d_step { IN_TIME(LAST) -> lands(LAST) }
  :: d_step { IN_TIME(A) && does[A] == CREATE -> printf("the provider refuses the create of run 0\n"); said[A] = REFUSED }
  :: d_step { IN_TIME(B) && does[B] == CREATE -> printf("the provider refuses the create of run 1\n"); said[B] = REFUSED }
  :: d_step { FLIES(0) -> landsLate(0) }
  :: d_step { FLIES(1) -> landsLate(1) }
  :: d_step { FLIES(2) -> landsLate(2) }
#ifdef PERSON
  :: d_step { !personActed && !begun[LAST] && !IS_TAKEN ->
      printf("a person makes an object of the same name\n");
      personActed = true; after = 255; makes(made, THEIRS); made = 0 }
  :: d_step { !personActed && !begun[LAST] && !IS_TAKEN ->
      printf("a person gives the name to an older object\n");
      personActed = true; isOld = true; after = 255; makes(made, THEIRS); made = 0 }
#endif
#ifdef SEALS
  :: d_step { MAY_FORGE && whose[FIRST_OF_THEIRS] == THEIRS ->
      printf("somebody pushes a record that names the person's object\n");
      record = FIRST_OF_THEIRS; recordBy = FORGER; forges() }
  :: d_step { MAY_FORGE -> printf("somebody pushes an intent\n"); intent = FORGER; forges() }
  :: d_step { MAY_FORGE && endedIntent != NONE -> printf("somebody puts an ended intent back, with its list\n"); intent = endedIntent; forges() }
  :: d_step { MAY_FORGE && record != NONE -> printf("somebody takes the record out\n"); record = NONE; recordBy = NONE; forges() }
  :: d_step { MAY_FORGE && intent != NONE -> printf("somebody takes the intent out\n"); intent = NONE; forges() }
#endif
  od
}

init {
  atomic {
    if
    :: true -> printf("at first there is nothing\n")
    :: true -> printf("at first one object stands and is recorded\n"); whose[0] = OURS; record = 0; recordBy = EARLIER
    :: true -> printf("at first an earlier run has announced a create and died\n"); intent = EARLIER; after = BIT(EARLIER)
    :: true -> printf("at first an earlier run has announced its create, made it and died\n"); intent = EARLIER; whose[0] = OURS
    :: true -> printf("at first an object is recorded and gone, and an earlier run has announced and made its successor and died\n");
      record = 0; recordBy = EARLIER; intent = EARLIER; whose[1] = OURS
    fi;
#ifdef SEALS
    sealedRecord = record;
    sealedIntent = intent;
#endif
    run World();
    run Run(A);
#ifdef ALONE
    over[B] = true;
#else
    run Run(B);
#endif
    run Run(LAST)
  }
}
