import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildPrograms } from '../../../scripts/built-programs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = 'packages/cli/src/command/main.ts'
const built = await buildPrograms([program])

/** A process of the built command that runs. */
export function startCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder: string = root,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [built(program), ...args], {
    cwd: folder,
    env: { ...process.env, ROWKEY_PROFILES: '/nonexistent', ...environment },
  })
}

/** Runs the built command to its end. */
export async function runProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
  folder?: string,
): Promise<{ readonly code: number | null; readonly printed: string; readonly warned: string }> {
  const child = startCommand(args, environment, folder)
  let printed = ''
  let warned = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    warned += chunk
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, printed, warned }
}

/** Runs the built command with a limit of its files in KiB, as on a full disk. Its output is a file. */
export async function runOnFullDisk(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { largestFile, output }: { readonly largestFile: number; readonly output: string },
): Promise<{ readonly code: number | null; readonly warned: string }> {
  await using file = await open(output, 'w')
  const limited = `ulimit -f ${largestFile}; exec "$0" "$@"`
  const child = spawn('bash', ['-c', limited, process.execPath, built(program), ...args], {
    cwd: root,
    env: { ...process.env, ROWKEY_PROFILES: '/nonexistent', ...environment },
    stdio: ['ignore', file.fd, 'pipe'],
  })
  let warned = ''
  child.stderr?.on('data', (chunk) => {
    warned += chunk
  })
  const [code] = await once(child, 'close')
  return { code, warned }
}
