// Completion of commands, flags and closed lists on Tab, for bash, zsh and fish.
import { UsageError } from '../errors.ts';
import * as messages from '../messages.ts';
import { defineCommand } from './command.ts';
import { unknownName } from './nearest.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

export const completion = defineCommand({
  operands: '[SHELL]',
  about: ['SHELL is bash, zsh or fish; without it, it is taken from the environment.'],
  flags: {},
  examples: [
    ['stormgate completion bash >> ~/.bashrc', 'complete in every new bash'],
    ['stormgate completion fish > ~/.config/fish/completions/stormgate.fish', 'complete in fish'],
  ],
  async run({ operands: [shell, extra] }) {
    if (extra !== undefined) throw new UsageError(messages.unexpectedOperand(extra), { help: messages.seeHelp('completion') });
    if (shell !== undefined) {
      if (!SHELLS.includes(shell)) throw unknownName('shell', shell, SHELLS);
      // yargs tells the shell by these, and by nothing else.
      process.env['SHELL'] = shell;
      delete process.env['ZSH_NAME'];
    }
    const { printCompletionScript } = await import('./parse.ts');
    printCompletionScript();
    return 0;
  },
});
