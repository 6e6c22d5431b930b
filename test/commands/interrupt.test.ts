import { afterEach, expect, it, vi } from 'vitest';
import { interruptible } from '../../src/commands/interrupt.ts';

afterEach(() => vi.restoreAllMocks());

it('stops reading at the first Ctrl-C, ends the program at the second, and then lets go', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const interrupt = interruptible();
  process.emit('SIGINT');
  expect(interrupt.signal.aborted).toBe(true);
  expect(exit).not.toHaveBeenCalled();
  expect(stderr.mock.calls.join('')).toContain('Ctrl-C again ends at once');
  process.emit('SIGINT');
  expect(exit).toHaveBeenCalledWith(130);
  interrupt.end();
  expect(process.listeners('SIGINT')).toEqual([]);
});
