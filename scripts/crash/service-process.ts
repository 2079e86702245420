import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly connectionString: string
  /** Ends it as `kill -9` does: it gets to do nothing more. */
  kill(): Promise<void>
}

/** Makes one file of the service, so that it starts quickly however often. */
export async function bundleService(): Promise<string> {
  // Other runs may be going on; and from here the file finds the packages that it imports.
  const outfile = `${root}node_modules/.cache/rowkey/crash-service-${process.pid}.mjs`
  await build({
    entryPoints: [`${root}scripts/crash/crash-service.ts`],
    tsconfig: `${root}examples/tsconfig.json`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['classic-level', 'undici', 'sorted-btree', 'fast-xml-parser', 'zod', 'msw'],
    outfile,
  })
  return outfile
}

/**
 * Starts the service on a folder.
 *
 * @param largestFile - KiB to which the system lets a file grow, as on a disk that is full then
 */
export async function startProcess(
  bundle: string,
  folder: string,
  largestFile: number | 'unlimited' = 'unlimited',
): Promise<ServiceProcess> {
  const limited = `ulimit -f ${largestFile}; exec "$0" "$@"`
  const args = ['-c', limited, process.execPath, bundle, folder]
  // Where files may not grow, each write is warned of, and that is what is asked for.
  const warnings = largestFile === 'unlimited' ? 'inherit' : 'ignore'
  const child = spawn('bash', args, { stdio: ['ignore', 'pipe', warnings] })
  const exited = once(child, 'exit')
  const connectionString = await firstLine(child)
  return {
    connectionString,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null) for await (const line of createInterface({ input: stdout })) return line
  throw new Error('The service ended before it was ready; see its own message above.')
}
