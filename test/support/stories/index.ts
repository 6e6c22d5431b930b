// The stories of samples/stories that scripts write: name to files. `npx tsx test/support/stories/write.ts` writes them all.
import { federation } from './federation.ts';
import { harm } from './harm.ts';
import { refusedRepeat, semanticRepeat, throttleHammering, transientHammering } from './small.ts';

/** Makes the files of each story, by name of the folder. */
export const STORIES: Record<string, () => Record<string, string>> = {
  'federation-24h': federation,
  harm,
  'refused-repeat': refusedRepeat,
  'semantic-repeat': semanticRepeat,
  'throttle-hammering': throttleHammering,
  'transient-hammering': transientHammering,
};
