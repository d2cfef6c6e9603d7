import { allCommands, type CommandEntry } from './command-tree.ts';

/**
 * Scripts that complete commands, options and their values in a shell. Each finds the command by the words
 * before the cursor; where nothing else fits, it completes files.
 */
export const completions = { bash, zsh, fish } as const;

const generated = 'Completes the commands and options of waymark. Generated from the command line.';

function bash(program: CommandEntry): string {
  const commands = allCommands(program);
  return `# ${generated}
_waymark() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local command='' word words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${command:+$command }\${COMP_WORDS[index]}"
    case $word in
      ${below(commands).map(quote).join(' | ')}) command=$word ;;
    esac
  done
  case "$command $previous" in
${valueCases(commands, (choices) => `words=${quote(choices.join(' '))}`)}
    *)
      case $command in
${commands
  .map(
    ({ path, ...command }) =>
      `        ${quote(path.join(' '))}) words=${quote(wordsOf(command).join(' '))} ;;`,
  )
  .join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _waymark waymark waymarkctl
`;
}

function zsh(program: CommandEntry): string {
  const commands = allCommands(program);
  const described = ({ path, children, options }: CommandEntry) => {
    const words = [
      ...children.map((child) => [child.path.at(-1) ?? '', child.description]),
      ...options.flatMap(({ names, description }) => names.map((name) => [name, description])),
    ];
    const quoted = words.map(([word = '', text = '']) =>
      quote(`${word.replaceAll(':', '\\:')}:${text}`),
    );
    return `        ${quote(path.join(' '))}) words=(${quoted.join(' ')}) ;;`;
  };
  return `#compdef waymark waymarkctl
# ${generated}
_waymark() {
  local command='' word index
  local -a words_before=("\${words[@]}") words
  for ((index = 2; index < CURRENT; index++)); do
    word="\${command:+$command }\${words_before[index]}"
    case $word in
      ${below(commands).map(quote).join(' | ')}) command=$word ;;
    esac
  done
  case "$command \${words_before[CURRENT - 1]}" in
${valueCases(commands, (choices) => `compadd -- ${choices.join(' ')}; return`, '_files; return')}
    *)
      case $command in
${commands.map(described).join('\n')}
      esac
      ;;
  esac
  _describe waymark words || _files
}
if [ "$funcstack[1]" = _waymark ]; then _waymark "$@"; else compdef _waymark waymark waymarkctl; fi
`;
}

function fish(program: CommandEntry): string {
  const commands = allCommands(program);
  const lines = commands.flatMap(({ path, children, options }) => {
    const at = `-n ${quote(`__waymark_at ${quote(path.join(' '))}`)}`;
    return [
      ...children.map(
        (child) =>
          `complete -c waymark -f ${at} -a ${child.path.at(-1)} -d ${quote(child.description)}`,
      ),
      ...options.map(({ names, description, takesValue, choices }) => {
        const flags = names.map((name) =>
          name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
        );
        const value =
          choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c waymark ${at} ${flags.join(' ')}${value} -d ${quote(description)}`;
      }),
    ];
  });
  return `# ${generated}
function __waymark_at --description 'Tests which command the words before the cursor name'
  set -l command
  for word in (commandline -opc)[2..-1]
    switch (string join -- ' ' $command $word)
      case ${below(commands).map(quote).join(' ')}
        set command $command $word
    end
  end
  test "$command" = "$argv[1]"
end
${lines.join('\n')}
complete -c waymarkctl -w waymark
`;
}

/** Returns the paths of all commands except the program itself. */
function below(commands: readonly CommandEntry[]): string[] {
  return commands.map(({ path }) => path.join(' ')).filter((path) => path !== '');
}

function wordsOf({ children, options }: Pick<CommandEntry, 'children' | 'options'>): string[] {
  return [
    ...children.map(({ path }) => path.at(-1) ?? ''),
    ...options.flatMap(({ names }) => names),
  ];
}

/** Formats the cases of options with a value, after which no other word may follow. */
function valueCases(
  commands: readonly CommandEntry[],
  complete: (choices: readonly string[]) => string,
  otherwise = ':',
): string {
  return commands
    .flatMap(({ path, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ names, choices }) => {
          const patterns = names.map((name) => quote(`${path.join(' ')} ${name}`)).join(' | ');
          return `    ${patterns}) ${choices.length > 0 ? complete(choices) : otherwise} ;;`;
        }),
    )
    .join('\n');
}

/** Quotes a word for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
