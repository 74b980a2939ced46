/* Objects that match the key, but for the recorded one. */
#define MATCHES(r) COUNT(knownRecord[r])

observing: /* chart: line.observing */
  if
  :: atomic { BELIEVES(r) -> looked(r); second = BUT(r); many = COUNT(second); object[r] = FIRST(second); second = NONE; judges(r) }
  DIES
  STOPS(goto ending)
  fi;

recordingIntent: /* chart: line.recordingIntent */
#ifdef FAULT_WRITE_FIRST
  if
  :: atomic { MAY_LAND(r) -> printf("run %d takes its lease\n", r); takes(r); landed(r); goto creating }
  :: atomic { !MAY_LAND(r) -> refused(r, true); goto recordingIntent }
  DIES
  fi;
#else
  if
  :: atomic { MAY_LAND(r) -> announces(r); goto creating }
  :: atomic { MAY_LAND(r) && r != LAST -> announces(r); printf("run %d never learns that\n", r); heldFor[r] = UNHELD; fresh[r] = false; complete = false; goto ending }
  :: atomic { !MAY_LAND(r) -> refused(r, true); goto recordingIntent }
  DIES
  STOPS(goto ending)
  fi;
#endif

creating: /* chart: line.creating; the create is to be sent */
  if
  :: atomic { MAY_SEND(r) ->
      printf("run %d sends its create\n", r);
      unannounced = unannounced || !ANNOUNCED(r);
      tries++;
      object[r] = NONE;
      sends(r, CREATE);
      goto sent }
  RENEWS(creating)
  TOO_LATE
  DIES
  STOPS(fact = (tries == 0 -> WITHDRAW : NOTHING); goto ending)
  fi;

sent: /* chart: line.creating; its answer is awaited */
  if
  :: atomic { said[r] == DONE -> printf("run %d hears that its object was made\n", r); hears(r); mayStand = true; goto awaiting }
  :: atomic { said[r] == REFUSED -> printf("run %d hears that its create was refused\n", r); hears(r); complete = false; fact = ENDED_INTENT; goto ending }
  :: atomic { said[r] == CONFLICT -> printf("run %d hears that it exists already\n", r); hears(r); isConflict = true; goto relocating }
  :: atomic { r != LAST ->
      printf("run %d loses the answer of its create\n", r);
      unanswered[r] = (said[r] == UNSAID -> MAX(unanswered[r], DEADLINE - age[r]) : unanswered[r]);
      leaves(r);
      object[r] = NONE;
      mayStand = true;
      isConflict = false;
      if
      :: stopping -> complete = false; goto ending
#ifdef FAULT_BLIND_REPEAT
      :: !stopping && tries < SENDS -> goto creating
      :: !stopping && tries >= SENDS -> goto relocating
#else
      :: !stopping -> goto relocating
#endif
      fi }
  RENEWS(sent)
  DIES
  STOPS(goto sent)
  fi;

relocating: /* chart: line.relocating */
  if
  :: atomic { isConflict || LANDED_BY_NOW(r) ->
      object[r] = FIRST(knownRecord[r]);
      if
      :: MATCHES(r) > 1 -> fact = ENDED_INTENT; refuses(r)
      :: MATCHES(r) == 0 && !isConflict && tries < SENDS -> printf("run %d finds nothing\n", r); goto creating
      :: MATCHES(r) == 0 && (isConflict || tries >= SENDS) ->
        printf("run %d finds nothing and gives up\n", r);
        complete = false;
        fact = ENDED_INTENT;
        goto ending
      :: MATCHES(r) == 1 && ((!mayStand && !wasAnnounced) || IS_CONTRADICTED(object[r])) -> fact = ENDED_INTENT; refuses(r)
      /* chart: line.claimed, which is left at once */
      :: MATCHES(r) == 1 && (mayStand || wasAnnounced) && !IS_CONTRADICTED(object[r]) ->
        printf("run %d finds it and claims it\n", r);
        claims(r, mayStand || wasAnnounced);
        goto awaiting
      fi }
  RENEWS(relocating)
  DIES
  STOPS(goto ending)
  fi;

awaiting: /* chart: line.awaiting; a run in which only pollers are left gives its lease back meanwhile */
  if
#ifdef FAULT_WRITE_FIRST
  :: atomic { fresh[r] && intent != r -> announces(r); goto awaiting }
#endif
  :: atomic { fact = RECORD; goto ending }
  :: atomic { r != LAST && fresh[r] && HOLDS(r) ->
      printf("run %d releases its lease and polls\n", r);
      gives(r);
      landed(r);
      rested = true;
      fact = RECORD;
      goto ending }
  DIES
  fi;
