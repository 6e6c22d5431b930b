// Timers that call a nightly run, ready to install: hardened, in the zone of the config, one run at a time.
import { dirname } from 'node:path';

/** What a unit must know of a config. */
export interface Job {
  /** The program with its arguments. */
  command: readonly string[];
  config: string;
  /** `02:00`, in `zone`. */
  at: string;
  zone: string;
  /** Folders that a run writes to. */
  written: readonly string[];
  /** Folders that it reads logs from. */
  read: readonly string[];
  version: string;
}

export const SCHEDULERS = ['systemd', 'cron', 'launchd', 'kubernetes'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

/** Returns the units of a scheduler as text. */
export function renderUnits(scheduler: Scheduler, job: Job): string {
  return RENDERERS[scheduler](job);
}

const RENDERERS: Readonly<Record<Scheduler, (job: Job) => string>> = { systemd, cron, launchd, kubernetes };

function inSystemd(text: string): string {
  const plain = text.replaceAll('%', '%%');
  return /^[\w./:@%+,-]+$/.test(plain) ? plain : `"${plain.replace(/[\\"]/g, String.raw`\$&`).replaceAll('$', '$$$$')}"`;
}

function systemd({ command, at, zone, written, config }: Job): string {
  return `# /etc/systemd/system/stormgate.service
# Exit code 1 says that a limit of the config was crossed: the unit fails, and OnFailure= can wake somebody.
[Unit]
Description=Nightly report on refusals in access logs (stormgate)
Documentation=man:systemd.timer(5)
After=local-fs.target

[Service]
Type=oneshot
ExecStart=${command.map(inSystemd).join(' ')}
WorkingDirectory=${inSystemd(dirname(config))}
Nice=10
IOSchedulingClass=idle
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=CAP_DAC_READ_SEARCH
AmbientCapabilities=CAP_DAC_READ_SEARCH
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths=${written.map(inSystemd).join(' ')}
PrivateTmp=yes
PrivateDevices=yes
PrivateNetwork=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictAddressFamilies=AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

# /etc/systemd/system/stormgate.timer
[Unit]
Description=Nightly report on refusals in access logs (stormgate)

[Timer]
OnCalendar=*-*-* ${at}:00 ${zone}
RandomizedDelaySec=5min
Persistent=true

[Install]
WantedBy=timers.target
`;
}

function inShell(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function cron({ command, at, zone }: Job): string {
  const [hour = '2', minute = '0'] = at.split(':');
  const line = command
    .map(inShell)
    .join(' ')
    .replaceAll('%', String.raw`\%`);
  return `# /etc/cron.d/stormgate
# CRON_TZ is heeded by cronie; elsewhere the hour is one of the machine's zone.
CRON_TZ=${zone}
${Number(minute)} ${Number(hour)} * * * root ${line} --quiet
`;
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const inXml = (text: string): string => text.replace(/[&<>]/g, (char) => XML[char] ?? char);

function launchd({ command, at, config }: Job): string {
  const [hour = '2', minute = '0'] = at.split(':');
  const words = command.map((word) => `    <string>${inXml(word)}</string>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- /Library/LaunchDaemons/com.example.stormgate.plist; the hour is one of the machine's zone -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>com.example.stormgate</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>WorkingDirectory</key>
  <string>${inXml(dirname(config))}</string>
  <key>StartCalendarInterval</key>
  <dict>
    <key>Hour</key>
    <integer>${Number(hour)}</integer>
    <key>Minute</key>
    <integer>${Number(minute)}</integer>
  </dict>
  <key>Umask</key>
  <integer>63</integer>
  <key>LowPriorityIO</key>
  <true/>
  <key>StandardErrorPath</key>
  <string>/var/log/stormgate.err</string>
</dict>
</plist>
`;
}

/** A JSON text is a YAML text, too. */
const inYaml = (text: string): string => JSON.stringify(text);

function kubernetes({ at, zone, config, written, read, version }: Job): string {
  const [hour = '2', minute = '0'] = at.split(':');
  const own = [...new Set([dirname(config), ...written])];
  const logs = read.filter((folder) => !own.includes(folder));
  const mounts = [
    ...own.map(
      (path, index) => `                - { name: state, mountPath: ${inYaml(path)}, subPath: ${inYaml(`part-${index}`)} }`,
    ),
    ...logs.map((path, index) => `                - { name: logs-${index}, mountPath: ${inYaml(path)}, readOnly: true }`),
    `                - { name: config, mountPath: ${inYaml(config)}, subPath: stormgate.yaml, readOnly: true }`,
    '                - { name: tmp, mountPath: /tmp }',
  ];
  const volumes = [
    '            - { name: state, persistentVolumeClaim: { claimName: stormgate } }',
    ...logs.map((path, index) => `            - { name: logs-${index}, hostPath: { path: ${inYaml(path)}, type: Directory } }`),
    '            - { name: config, configMap: { name: stormgate } }',
    '            - { name: tmp, emptyDir: {} }',
  ];
  return `# The config as a ConfigMap: kubectl create configmap stormgate --from-file=stormgate.yaml=${config}
# The image: FROM node:20-slim, then RUN npm install --global stormgate@${version}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: stormgate
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 10Gi
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: stormgate
spec:
  schedule: ${inYaml(`${Number(minute)} ${Number(hour)} * * *`)}
  timeZone: ${inYaml(zone)}
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 3600
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 65532
            fsGroup: 65532
            seccompProfile: { type: RuntimeDefault }
          containers:
            - name: stormgate
              image: ${inYaml(`stormgate:${version}`)}
              args: [stormgate, nightly, --config, ${inYaml(config)}]
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities: { drop: [ALL] }
              resources:
                requests: { cpu: 500m, memory: 512Mi }
                limits: { memory: 1Gi }
              volumeMounts:
${mounts.join('\n')}
          volumes:
${volumes.join('\n')}
`;
}
