// The stories of samples/stories that scripts write: name to files. `npx tsx test/support/stories/write.ts` writes them all.
import { federation } from './federation.ts';
import { FINDING_STORIES } from './findings.ts';
import { harm } from './harm.ts';
import { SANCTIONED_STORIES } from './sanctioned.ts';
import { SILENT_STORIES } from './silent.ts';
import { refusedRepeat, semanticRepeat, throttleHammering, transientHammering } from './small.ts';
import { STORM_STORIES } from './storms.ts';
import { filesOf } from './story.ts';

const SMALL = { ...STORM_STORIES, ...FINDING_STORIES, ...SANCTIONED_STORIES, ...SILENT_STORIES };

/** Makes the files of each story, by name of the folder; those of small stories hold their expectations too. */
export const STORIES: Record<string, () => Record<string, string>> = {
  'federation-24h': federation,
  harm,
  'refused-repeat': refusedRepeat,
  'semantic-repeat': semanticRepeat,
  'throttle-hammering': throttleHammering,
  'transient-hammering': transientHammering,
  ...Object.fromEntries(Object.entries(SMALL).map(([name, tell]) => [name, () => filesOf(tell())])),
};
