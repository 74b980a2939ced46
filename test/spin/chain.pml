/*
 * A line that waits for another one of its run, which is being made under the lease: a chain. With EARLY_LOOK the line looks
 * meanwhile, where its key and its find hold nothing that is pending.
 */
#ifdef CHAIN
chained: /* beside the chart: the lines before this one take the lease with their intents */
  if
#ifdef EARLY_LOOK
  LOOKS_EARLY(r, chained)
#endif
  :: atomic { HOLDS(r) -> goto behind }
  :: atomic { !HOLDS(r) && MAY_LAND(r) -> printf("run %d takes its lease for an earlier line\n", r); takes(r); landed(r); goto behind }
  :: atomic { !HOLDS(r) && !MAY_LAND(r) -> yields(r) }
  DIES
  STOPS(unsees(r); goto ending)
  fi;

behind: /* chart: line.waiting; the lines before this one are at work */
  if
  :: atomic { printf("the turn of the line of run %d comes\n", r); comes(r) }
#ifdef EARLY_LOOK
  LOOKS_EARLY(r, behind)
#endif
  :: atomic { HOLDS(r) && fresh[r] && !rested && r != LAST ->
      printf("run %d releases its lease while an earlier line polls\n", r);
      gives(r);
      landed(r);
      rested = true;
      goto behind }
  RENEWS(behind)
  DIES
  STOPS(unsees(r); goto ending)
  fi;
#endif
