/** The measured services. Each runs in its own process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'undici'
import { ACCOUNT } from '../fixture.mjs'
import { answerOf } from './driver.mjs'
import { TABLES } from './requests.mjs'

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))

const COMMAND = pathOf('../../packages/rowkey/dist/command.mjs')
const AZURITE = pathOf('../node_modules/azurite/dist/src/table/main.js')

/** The command for a port and a folder, as users start the services, without a debug log. */
const commands = {
  rowkey: (port) => [COMMAND, 'serve', '--port', port],
  'rowkey-durable': (port, folder) => [COMMAND, 'serve', '--port', port, '--data', folder],
  azurite: (port) => [
    ...[AZURITE, '--tablePort', port, '--inMemoryPersistence', '--silent'],
    ...['--skipApiVersionCheck', '--disableTelemetry'],
  ],
}

export const serviceNames = Object.keys(commands)

/** The time limit for the first response, in milliseconds. */
const PATIENCE = 30_000

/** Two million rows need more memory than Node's default. */
const HEAP_MEBIBYTES = 12_288

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return String(port)
}

/** Sends a request on a new connection, which fails until the service listens. */
async function isReady(origin) {
  const client = new Client(origin)
  try {
    await answerOf(client, TABLES())
    return true
  } catch (error) {
    if (error.code === 'ECONNREFUSED') return false
    throw error
  } finally {
    await client.destroy()
  }
}

/**
 * Starts a service.
 *
 * @returns its process id, its origin, the milliseconds until its first response, and `stop`, which
 * ends only this process
 */
export async function startService(name) {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-bench-'))
  const port = await freePort()
  const start = performance.now()
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MEBIBYTES}`, ...commands[name](port, folder)],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exit = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  while (!(await isReady(origin))) {
    await setTimeout(5)
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    if (performance.now() - start > PATIENCE) throw new Error(`${name} does not respond`)
  }
  return {
    name,
    pid: child.pid,
    origin,
    base: `/${ACCOUNT}`,
    startUp: performance.now() - start,
    async stop() {
      kill()
      await exit
      process.off('exit', kill)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
