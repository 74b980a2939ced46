import type { Shell } from '../command-spec.ts';

/**
 * The completion script of a shell. Each script gives the words of the line to `pilotfish complete -- <words…>` as separate arguments, and
 * takes the answer as text: it evaluates neither. An answer has one word a line, with its description after a tab, and ends with a line
 * `:<directive>`: 0 for files, 4 for nothing else, 16 for folders. This is the protocol of cobra and of `@bomb.sh/tab`, so package managers
 * that complete by it can ask too.
 *
 * The scripts of `@bomb.sh/tab` 0.0.22 do not fit. In bash, TAB after `--scope $(touch x)` ran the substitution, a word `$(touch x)` of the
 * answer ran too, and the second script of that library in a shell printed six errors.
 */
export const completionScript = (shell: Shell): string => `# pilotfish in ${shell}. To install: ${installLine(shell)}\n${scripts[shell]}`;

/** One command that installs the completion for good. */
export const installLine = (shell: Shell): string => installs[shell];

const installs: { readonly [shell in Shell]: string } = {
  bash: "pilotfish completion bash > ~/.pilotfish.bash && echo '. ~/.pilotfish.bash' >> ~/.bashrc",
  zsh: "pilotfish completion zsh > ~/.pilotfish.zsh && echo '. ~/.pilotfish.zsh' >> ~/.zshrc",
  fish: 'pilotfish completion fish > ~/.config/fish/completions/pilotfish.fish',
  powershell: 'pilotfish completion powershell >> $PROFILE',
};

/**
 * Bash splits words at `=` and `:`, so the script puts together the parts with no space between them, and takes their common beginning
 * from each reply. The bash of macOS (3.2) has no `compopt`; it then completes no files.
 */
const bash = String.raw`
_pilotfish() {
  local word bare line reply i directive=4 rest=$COMP_LINE
  local -a words=()
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    bare=\${rest#"\${rest%%[![:space:]]*}"}
    if ((i > 1)) && [[ $bare == "$rest" ]]; then
      words[\${#words[@]}-1]+=$word
    elif ((i > 0)); then
      words+=("$word")
    fi
    rest=\${bare#"$word"}
  done
  [[ $word == [=:] ]] && word=
  local typed=\${words[\${#words[@]}-1]}
  local before=\${typed%"$word"}
  while IFS= read -r line; do
    case $line in
      :*) directive=\${line#:} ;;
      *)
        reply=\${line%%$'\t'*}
        COMPREPLY+=("\${reply#"$before"}")
        ;;
    esac
  done < <(pilotfish complete -- "\${words[@]}" 2>/dev/null </dev/null)
  case $directive in
    0) compopt -o default 2>/dev/null ;;
    16) compopt -o dirnames 2>/dev/null ;;
  esac
  return 0
}
complete -F _pilotfish pilotfish
`;

const zsh = String.raw`
_pilotfish() {
  local line directive=4
  local -a values shown
  while IFS= read -r line; do
    case $line in
      :*) directive=\${line#:} ;;
      *)
        values+=("\${line%%$'\t'*}")
        shown+=("\${line/$'\t'/  }")
        ;;
    esac
  done < <(pilotfish complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null </dev/null)
  if (( $#values )); then
    compadd -l -d shown -a -- values
    return
  fi
  case $directive in
    0) compset -P '--*='; _files ;;
    16) compset -P '--*='; _files -/ ;;
    *) return 1 ;;
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
compdef _pilotfish pilotfish
`;

const fish = String.raw`
function __pilotfish_words
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    set -l answer (pilotfish complete -- $words "$typed" 2>/dev/null </dev/null)
    switch "$answer[-1]"
        case ':0'
            __pilotfish_paths __fish_complete_path "$typed"
        case ':16'
            __pilotfish_paths __fish_complete_directories "$typed"
    end
    string match -v -- ':*' $answer
end

function __pilotfish_paths
    set -l flag (string match -r -- '^--[^=]*=' "$argv[2]")
    for path in ($argv[1] (string replace -- "$flag" '' "$argv[2]"))
        printf '%s%s\n' "$flag" "$path"
    end
end

complete -c pilotfish -e
complete -c pilotfish -f -a '(__pilotfish_words)'
`;

/** PowerShell before 7.3 drops an empty argument, so an empty word is told as two quotes. Without an answer PowerShell offers files. */
const powershell = `
Register-ArgumentCompleter -Native -CommandName pilotfish -ScriptBlock {
    param($typed, $line, $cursor)
    $words = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
    if ($typed -eq '') { $words += '""' }
    foreach ($answer in @(pilotfish complete '--' @words 2>$null)) {
        if ($answer.StartsWith(':')) { continue }
        $value, $text = $answer.Split([char]9, 2)
        if (-not $text) { $text = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
    }
}
`;

const scripts: { readonly [shell in Shell]: string } = Object.fromEntries(
  Object.entries({ bash, zsh, fish, powershell }).map(([shell, text]) => [shell, text.replaceAll('\\${', '${').trimStart()]),
) as { readonly [shell in Shell]: string };
