/* What must hold in every state, and what must come. */
#ifdef SEALS
#define IS_HONEST (forgeries == 0)
#else
#define IS_HONEST true
#endif
bool leftBehind;
bool wronglyRefused;
byte lastEnd;

inline judgesEnd(r) {
  if
  :: destroys && complete && (record != NONE || intent != NONE || MADE_BY_US > 0) -> leftBehind = true
  :: else
  fi;
  if
  :: r == LAST && !complete && !personActed && IS_HONEST -> wronglyRefused = true
  :: r == LAST && complete && !destroys -> lastEnd = 1
  :: r == LAST && complete && destroys -> lastEnd = 2
  :: else
  fi
}

#define atMostOne (MADE_BY_US <= 1)
#define foreignStays (!foreignTaken)
#define intentFirst (!unannounced)
#define sealedOnly (!unsealedDeleted)
#define oneWriter (!(MAY_SEND(A) && MAY_SEND(B)) && !(MAY_SEND(A) && MAY_SEND(LAST)) && !(MAY_SEND(B) && MAY_SEND(LAST)))
#define nothingStays (!leftBehind && !(over[LAST] && NONE_FLIES && lastEnd == 2 && (MADE_BY_US > 0 || record != NONE || intent != NONE)))
#define standsAsPlanned (!(over[LAST] && NONE_FLIES && lastEnd == 1 && (MADE_BY_US != 1 || record == NONE || intent != NONE)))
#define refusedWithReason (!wronglyRefused)

ltl atMostOneObject { [] atMostOne }
ltl foreignIsLeft { [] foreignStays }
ltl announcedFirst { [] intentFirst }
ltl sealedOnlyIsDeleted { [] sealedOnly }
ltl oneWriterAtOnce { [] oneWriter }
ltl destroyLeavesNothing { [] nothingStays }
ltl applyLeavesOne { [] standsAsPlanned }
ltl refusedForAReason { [] refusedWithReason }
ltl safe { [] (atMostOne && foreignStays && intentFirst && sealedOnly && oneWriter && nothingStays && standsAsPlanned && refusedWithReason) }
ltl ends { <> (over[A] && over[B] && over[LAST]) }
