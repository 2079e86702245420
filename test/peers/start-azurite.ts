import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import type { Service } from './service.ts'

const HOST = '127.0.0.1'

/** How often to look for a port: another program may take it before Azurite listens. */
const ATTEMPTS = 3

/** Azurite's table service as a process of its own, in memory, on a port that was free. */
export async function startAzurite(attempt = 1): Promise<Service> {
  const port = await freePort()
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/table/main.js')
  const args = ['--tableHost', HOST, '--tablePort', String(port), '--inMemoryPersistence']
  const azurite = spawn(
    process.execPath,
    [main, ...args, '--skipApiVersionCheck', '--disableTelemetry', '--silent'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  if (!(await hasStarted(azurite))) {
    azurite.kill()
    if (attempt === ATTEMPTS) throw new Error(`Azurite did not start on ${ATTEMPTS} ports.`)
    return startAzurite(attempt + 1)
  }
  return {
    connectionString: [
      'DefaultEndpointsProtocol=http',
      `AccountName=${DEVELOPMENT_ACCOUNT}`,
      `AccountKey=${DEVELOPMENT_KEY}`,
      `TableEndpoint=http://${HOST}:${port}/${DEVELOPMENT_ACCOUNT}`,
    ].join(';'),
    async close() {
      azurite.kill()
      if (azurite.exitCode === null && azurite.signalCode === null) await once(azurite, 'exit')
    },
  }
}

/** Azurite does not say which port it was given when asked for any, so one is found beforehand. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Waits until Azurite listens; returns `false` when it ended before. */
async function hasStarted({ stdout }: ChildProcess): Promise<boolean> {
  let listens = false
  if (stdout === null) return listens
  for await (const line of createInterface({ input: stdout })) {
    listens = line.includes('successfully')
    if (listens) break
  }
  // Keeps reading, because a full pipe would stop the service.
  stdout.resume()
  return listens
}
