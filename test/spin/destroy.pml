#define IS_NOT_THERE(r) (MATCHES(r) == 0 || (MATCHES(r) == 1 && IS_CONTRADICTED(object[r])))

observingLedger: /* chart: line.observing; of a destroy, whose lines are those of the ledger */
  if
  :: atomic { knownRecord[r] == NONE && knownIntent[r] == NONE -> printf("run %d has nothing to remove\n", r); goto ending }
  :: atomic { (knownRecord[r] != NONE && !RECORD_COUNTS(r)) || (knownRecord[r] == NONE && knownIntent[r] != NONE && !INTENT_COUNTS(r)) ->
      printf("run %d finds a fact that nobody sealed, and is refused\n", r);
      confirms(r);
      complete = false;
      goto ending }
  :: atomic { knownRecord[r] != NONE && RECORD_COUNTS(r) && !INTENT_COUNTS(r) ->
      object[r] = knownRecord[r];
      printf("run %d is to remove what is recorded\n", r);
      dooms(r);
      goto removing }
  :: atomic { INTENT_COUNTS(r) && RECORD_COUNTS(r) && BELIEVES(r) ->
      looked(r);
      object[r] = FIRST(knownRecord[r]);
      if
      :: MATCHES(r) > 1 -> confirms(r); refuses(r)
      :: IS_NOT_THERE(r) && knownRecord[r] != NONE -> object[r] = knownRecord[r]
      :: IS_NOT_THERE(r) && knownRecord[r] == NONE ->
        printf("run %d finds nothing of what was announced\n", r);
        object[r] = NONE;
        fact = FORGET;
        goto ending
      :: MATCHES(r) == 1 && !IS_CONTRADICTED(object[r]) ->
        printf("run %d finds what the intent announced\n", r);
        claims(knownIntent[r], true);
        second = knownRecord[r]
      fi;
      dooms(r);
      goto removing }
  DIES
  STOPS(goto ending)
  fi;

removing: /* chart: line.removing; the delete is to be sent */
  if
  :: atomic { !HOLDS(r) && MAY_LAND(r) -> printf("run %d takes the lease\n", r); takes(r); landed(r); goto removing }
  :: atomic { !HOLDS(r) && !MAY_LAND(r) -> yields(r) }
  :: atomic { MAY_SEND(r) ->
      printf("run %d sends its delete\n", r);
      tries++;
      unsealedDeleted = unsealedDeleted || isDoubtful;
      sends(r, DELETE);
      goto deleting }
  RENEWS(removing)
  TOO_LATE
  DIES
  STOPS(goto ending)
  fi;

deleting: /* chart: line.removing; its answer is awaited */
  if
  :: atomic { said[r] == DONE ->
      hears(r);
      if
      :: second != NONE -> object[r] = second; second = NONE; tries = 0; goto removing
      :: else -> printf("run %d hears that it is gone\n", r); fact = FORGET; object[r] = NONE; goto ending
      fi }
  :: atomic { r != LAST ->
      printf("run %d loses the answer of its delete\n", r);
      unanswered[r] = (said[r] == UNSAID -> MAX(unanswered[r], DEADLINE - age[r]) : unanswered[r]);
      leaves(r);
      if
      :: stopping || tries >= SENDS -> complete = false; object[r] = NONE; goto ending
      :: else -> goto removing
      fi }
  RENEWS(deleting)
  DIES
  STOPS(goto deleting)
  fi;
