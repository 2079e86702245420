import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runStages, type Step } from '../../scripts/check/run-stages.ts'

/** Processes of steps connect to it; the connection of one closes when it ends. */
let server: Server
let port: number

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(() => server.close())

/** Returns a step that runs a program of Node. */
const step = (name: string, program: string): Step => ({
  name,
  command: [process.execPath, '-e', program],
})

const run = async (stages: readonly (readonly Step[])[]) => {
  let printed = ''
  const passed = await runStages(stages, (text) => {
    printed += text
  })
  return { passed, printed }
}

/** Waits until two processes live, tells both to end, and waits until both have ended. */
async function tellTwo(): Promise<void> {
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})))
  while (sockets.length < 2) await once(server, 'connection')
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) socket.write('end')
  await Promise.all(closed)
}

/** A program that lives until the server tells it to end. */
const endsWhenTold = (status: number) => `${living()}.on('data', () => process.exit(${status}))`

/** A program that never ends, and tells the server that it lives. */
const living = () => `require('node:net').connect(${port}, '127.0.0.1').on('error', () => {})`

/** A program that starts the living one, and waits for it. */
const parent = () =>
  `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(living())}])`

describe('the stages of a check', () => {
  it('follow each other, and print what each step prints', async () => {
    const { passed, printed } = await run([
      [step('first', 'console.log("one")')],
      [step('second', 'console.log("two")')],
    ])
    expect(passed).toBe(true)
    expect(printed.replaceAll(/\d+\.\d/g, '0')).toMatch(
      /first: .*\none\nfirst: ok, 0 s\nsecond: .*\ntwo\nsecond: ok, 0 s\n\nall 2 steps passed\n$/,
    )
  })

  it('stop when a step fails, and do not begin the next stage', async () => {
    const { passed, printed } = await run([
      [step('broken', 'console.log("why"); process.exit(3)')],
      [step('later', '')],
    ])
    expect(passed).toBe(false)
    expect(printed).toMatch(/why\nbroken: failed \(3\), .*\n\nbroken failed\n$/)
    expect(printed).not.toContain('later')
  })

  it('end the children of the steps beside one that fails', async () => {
    const end = run([[step('parent', parent()), step('failing', endsWhenTold(1))]])
    await tellTwo()
    const { passed, printed } = await end
    expect(passed).toBe(false)
    expect(printed).toContain('\nfailing failed\n')
  })

  it('end what a step leaves behind', async () => {
    const end = run([[step('leaving', `${parent()}; ${endsWhenTold(0)}`)]])
    await tellTwo()
    expect((await end).passed).toBe(true)
  })

  it('report a program that cannot start', async () => {
    const { passed, printed } = await run([[{ name: 'missing', command: ['missing-program'] }]])
    expect(passed).toBe(false)
    expect(printed).toContain('ENOENT')
  })
})
