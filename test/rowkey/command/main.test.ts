import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { connect, DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { buildPrograms } from '../../../scripts/built-programs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The longest text of one property. */
const LARGE = 'x'.repeat(32_000)

/** Resolves when new connections to a port are refused or closed. */
const refusing = async (port: number): Promise<void> => {
  const socket = connectSocket(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const isServed = await new Promise((resolve) => {
    socket.once('data', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  socket.destroy()
  if (isServed) await refusing(port)
}

/** Resolves when a service on a port responds. */
const responding = async (port: number): Promise<void> => {
  const isThere = await fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
  if (!isThere) await responding(port)
}

/** A port on which nothing listens. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const command = 'packages/rowkey/src/command/main.ts'
const built = (await buildPrograms([command], 'serve'))(command)

/** The command as a process of its own, from the sources. */
const start = (...args: string[]) =>
  spawn(process.execPath, [built, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The connection string that the command prints. */
const printedBy = async (child: ReturnType<typeof start>): Promise<string> => {
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (/TableEndpoint=.*\n/.test(printed)) break
  }
  return /^Default.*$/m.exec(printed)?.[0] ?? expect.fail(`it printed '${printed}'`)
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'rowkey serve runs as a separate process and exits with 0 on %s',
  async (signal) => {
    const child = start('serve', '--port', '0')
    let warned = ''
    child.stderr.on('data', (chunk) => {
      warned += chunk
    })
    const account = connect(await printedBy(child))
    await account.table('people').create()
    child.kill(signal)
    const [code] = await once(child, 'exit')
    await account.close()
    expect([code, warned]).toEqual([0, ''])
  },
)

it('a second signal ends rowkey serve at once with 1, while a client is still reading', async () => {
  const child = start('serve', '--port', '0')
  const printed = await printedBy(child)
  const account = connect(printed)
  const people = account.table('people')
  await people.create()
  const large = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`p${at}`, LARGE]))
  for (let at = 0; at < 36; at++) await people.insert(new DynamicEntity('a', String(at), large))
  const { token } = people.sas({ permissions: 'r', expiry: new Date(Date.now() + 3_600_000) })
  const { port, pathname } = new URL(/TableEndpoint=(.*)/.exec(printed)?.[1] ?? '')
  // The client reads the beginning of the response and then stops.
  const reader = connectSocket(Number(port), '127.0.0.1')
  const target = `${pathname}/people()?${token}`
  reader.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n`)
  await once(reader, 'data')
  reader.pause()
  child.kill('SIGTERM')
  await refusing(Number(port))
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([1, null])
  reader.destroy()
  await account.close()
})

it('rowkey names an unknown argument on the error stream and exits with 2', async () => {
  const child = start('--sevre')
  let warned = ''
  child.stderr.on('data', (chunk) => {
    warned += chunk
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(2)
  expect(warned).toContain("'--sevre'")
})

it('rowkey serve continues when the reader of its output goes away', async () => {
  const port = await freePort()
  const child = start('serve', '--port', String(port))
  let warned = ''
  child.stderr.on('data', (chunk) => {
    warned += chunk
  })
  // Closed before the first output.
  child.stdout.destroy()
  await responding(port)
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  expect([code, warned]).toEqual([0, ''])
})
