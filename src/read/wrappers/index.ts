// The list of wrappers. A new one is a file beside this one, a name in WRAPPER_NAMES and a line here.
import { ansi } from './ansi.ts';
import { cloudwatch, cloudwatchJson } from './cloudwatch.ts';
import { compose } from './compose.ts';
import { cri } from './cri.ts';
import { dockerJson } from './docker-json.ts';
import { journaldJson } from './journald-json.ts';
import { jsonEnvelope } from './json-envelope.ts';
import { kubectl } from './kubectl.ts';
import { logfmt } from './logfmt.ts';
import { loki, lokiJson } from './loki.ts';
import { prefix } from './prefix.ts';
import { pythonLogging } from './python-logging.ts';
import { rich } from './rich.ts';
import { stern } from './stern.ts';
import { journaldIso, syslog3164, syslog5424 } from './syslog.ts';
import { tail } from './tail.ts';
import { timestamps } from './timestamps.ts';
import type { Wrapper, WrapperName } from './wrapper.ts';

export { WRAPPER_NAMES, type Peel, type Peeled, type Wrapper, type WrapperName } from './wrapper.ts';

export const WRAPPERS: Readonly<Record<WrapperName, Wrapper>> = {
  ansi,
  cri,
  'docker-json': dockerJson,
  'journald-json': journaldJson,
  'cloudwatch-json': cloudwatchJson,
  'loki-json': lokiJson,
  'syslog-5424': syslog5424,
  'syslog-3164': syslog3164,
  'journald-iso': journaldIso,
  tail,
  kubectl,
  loki,
  cloudwatch,
  compose,
  rich,
  'python-logging': pythonLogging,
  stern,
  timestamps,
  'json-envelope': jsonEnvelope,
  logfmt,
  prefix,
};
