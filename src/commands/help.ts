// Help as text, from the same declarations that the parser reads. It never loads the parser, whose import alone takes 90 ms.
import type { Command, Commands, Flag, Flags } from './command.ts';

const WIDTH = 100;
const LEFT = 26;

/** Returns the help of the program: what it is for, its commands, how to begin. */
export function renderProgramHelp(commands: Commands): string {
  const names = Object.keys(commands).map((name): [string, string] => [name, commands[name]?.summary ?? '']);
  return sections([
    'stormgate reads access logs of API gateways and MCP servers, finds the clients that do not take no for an answer, and says\nwhat a refusal gate in them would have spared.',
    'Usage: stormgate [COMMAND] [FILES…] [flags]\n       COMMAND | stormgate',
    `Commands\n${columns(names, 14)}`,
    `Examples\n${examples([
      ['stormgate demo', 'see a report of a log that is shipped with the program'],
      ['stormgate access.log*', 'read a log and its rotated copies, gzipped or not'],
      ['kubectl logs deploy/mcp | stormgate', 'read a pipe'],
      ['stormgate access.log -o review.html', 'write a page to read and share'],
    ])}`,
    'stormgate COMMAND --help tells the flags of a command; without a COMMAND the flags are those of report.',
  ]);
}

/** Returns the help of one command. `thresholds` are the flags it takes besides its own. */
export function renderCommandHelp(name: string, summary: string, command: Command, thresholds: Flags): string {
  const flags = Object.entries({ ...command.flags, ...thresholds });
  const groups = [...new Set(flags.map(([, flag]) => groupOf(flag)))];
  return sections([
    `${summary}.`,
    `Usage: ${usageLine(name, command.operands, flags.length > 0)}`,
    ...(command.about ?? []).map((paragraph) => wrap(paragraph, WIDTH).join('\n')),
    ...groups.map((group) => `${group}\n${columns(flags.filter(([, flag]) => groupOf(flag) === group).map(row), LEFT)}`),
    `Examples\n${examples(command.examples)}`,
  ]);
}

function usageLine(name: string, operands: string, hasFlags: boolean): string {
  return ['stormgate', name === 'report' ? '[report]' : name, operands, hasFlags ? '[flags]' : ''].filter(Boolean).join(' ');
}

function groupOf(flag: Flag): string {
  return flag.group ?? 'Flags';
}

function row([name, flag]: [string, Flag]): [string, string] {
  return [usage(name, flag), describe(flag)];
}

function sections(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

function usage(name: string, flag: Flag): string {
  const short = flag.alias === undefined ? '' : `-${flag.alias}, `;
  return `${short}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`;
}

function describe(flag: Flag): string {
  const choices = flag.choices === undefined ? '' : `: ${flag.choices.join(', ')}`;
  return `${flag.describe}${choices}${flag.repeat === true ? ' (repeatable)' : ''}`;
}

function examples(list: readonly (readonly [string, string])[]): string {
  return list.map(([line, purpose]) => `  ${line}\n      ${purpose}`).join('\n');
}

/** Two columns, the right one from `left` on; a left side too long for its column stands on a line of its own. */
function columns(rows: readonly (readonly [string, string])[], left: number): string {
  return rows
    .flatMap(([name, text]) => {
      const [first = '', ...rest] = wrap(text, WIDTH - left);
      const head = name.length + 4 > left ? [`  ${name}`, `${' '.repeat(left)}${first}`] : [`  ${name}`.padEnd(left) + first];
      return [...head, ...rest.map((line) => ' '.repeat(left) + line)];
    })
    .join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
