import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A service in its own process. */
export interface ServiceProcess {
  readonly connectionString: string
  /** Ends the process with SIGKILL, so that it cannot clean up. */
  kill(): Promise<void>
}

/** Bundles the service into one file, so that it starts quickly. */
export async function bundleService(): Promise<string> {
  // The process id keeps concurrent runs apart. In this folder the file finds its packages.
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
 * @param largestFile - the size limit of each file in KiB, to simulate a full disk
 */
export async function startProcess(
  bundle: string,
  folder: string,
  largestFile: number | 'unlimited' = 'unlimited',
): Promise<ServiceProcess> {
  const limited = `ulimit -f ${largestFile}; exec "$0" "$@"`
  const args = ['-c', limited, process.execPath, bundle, folder]
  // With a size limit, warnings about failed writes are expected.
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
