#!/bin/sh
# Previews of pull requests from any CI, or from cron. POSIX sh, git and Node are all it needs.
#
#   sh pilotfish.sh apply        a pull request opened or got a commit, or its deployment is ready
#   sh pilotfish.sh destroy      it was merged or closed
#   sh pilotfish.sh sweep        once a night: destroys what is left of pull requests that are over
#   sh pilotfish.sh production   the main branch was released
#
# It takes everything from variables, which your CI has under names of its own:
#
#   PULL_REQUEST      apply, destroy   the number
#   COMMIT            apply            the commit at its head; never one that the CI merged for itself
#   BRANCH            apply            the branch of that commit
#   REPOSITORY        apply            owner/name of this repository
#   HEAD_REPOSITORY   apply            owner/name of the repository that the commit was pushed to: another one is a fork
#   APPROVED_BY       production       who approved the release
#   GITHUB_TOKEN or GITLAB_TOKEN       reads pull requests, comments, pushes the receipts
#   PILOTFISH         a command in place of `npx --yes pilotfish@0.1`
#
# The credentials of the plan are variables, too. `pilotfish plan` names each one that is missing.

set -eu

pilotfish=${PILOTFISH:-npx --yes pilotfish@0.1}

refuse() {
  printf '%s\n' "pilotfish.sh: $1" >&2
  exit 2
}

need() {
  missing=''
  for name in "$@"; do
    eval "value=\${$name:-}"
    [ -n "$value" ] || missing="$missing $name"
  done
  [ -z "$missing" ] || refuse "not set:$missing"
}

# Without a token nobody can tell whether a pull request is still open.
need_token() {
  [ -n "${GITHUB_TOKEN:-}${GITLAB_TOKEN:-}" ] || refuse 'not set: GITHUB_TOKEN or GITLAB_TOKEN'
}

# What runs here was started by a machine: a late event must write nothing.
export CI="${CI:-true}"

# PILOTFISH may be several words.
# shellcheck disable=SC2086
case "${1:-}" in
  apply)
    need PULL_REQUEST COMMIT BRANCH REPOSITORY HEAD_REPOSITORY
    need_token
    if [ "$HEAD_REPOSITORY" != "$REPOSITORY" ]; then
      printf '%s\n' "The pull request $PULL_REQUEST comes from $HEAD_REPOSITORY. pilotfish does not read its plan and uses no credential."
      exit 0
    fi
    if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
      refuse 'the checkout is shallow, so an older commit cannot be told from a newer one. Fetch the whole history.'
    fi
    exec $pilotfish apply --pr "$PULL_REQUEST" --sha "$COMMIT" --branch "$BRANCH" --comment
    ;;
  destroy)
    need PULL_REQUEST
    need_token
    exec $pilotfish apply --destroy --pr "$PULL_REQUEST" --comment
    ;;
  sweep)
    need_token
    exec $pilotfish apply --destroy --closed --expired
    ;;
  production)
    need APPROVED_BY
    exec $pilotfish apply --env production --approved-by "$APPROVED_BY"
    ;;
  *)
    refuse 'say what to do: apply, destroy, sweep or production'
    ;;
esac
