import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Credential,
  entityGroupTransaction,
  fetchTransport,
  getEntity,
  insertEntity,
  noRetry,
  perform,
  type TableService,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { Agent, buildConnector } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeTransport } from '../../packages/rest/src/http/node-transport.ts'
import { bodyOf, loopbackServer } from './http/loopback-server.ts'
import { etag, jeff } from './people.ts'

/** Signs nothing; the tests look only at when it is called. */
const unsigned: Credential = { authorize: (request) => request }

type Turn = (request: IncomingMessage, response: ServerResponse) => void

const silent: Turn = () => {}
const says =
  (status: number, headers: Record<string, string> = {}): Turn =>
  (_, response) =>
    void response.writeHead(status, headers).end()
const hangsUp: Turn = (request) => void request.socket.resetAndDestroy()

describe.each([
  ['node:http', nodeTransport],
  ['undici', undiciTransport],
  ['fetch', fetchTransport],
])('with %s, a signal that aborts', (_, transportOf) => {
  let controller: AbortController
  let turns: Turn[]
  let received: string[]
  let origin: string
  const open: (() => Promise<unknown>)[] = []

  /** Gives each request the next of the turns, then silence; aborts at the last. */
  beforeEach(async () => {
    controller = new AbortController()
    turns = []
    received = []
    const server = await loopbackServer(async (request, response) => {
      await bodyOf(request)
      received.push(`${request.method}`)
      const turn = turns.shift() ?? silent
      turn(request, response)
      if (turns.length === 0) controller.abort('enough')
    })
    origin = server.origin
    open.push(server.close)
  })

  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })

  function serviceAs(credential: Credential): TableService {
    const service = tableService({
      endpoint: `${origin}/acct`,
      credential,
      transport: transportOf(),
      // Retries at once, unless the service says when.
      random: () => 0,
    })
    open.push(() => service.close())
    return service
  }

  const insert = (credential = unsigned) =>
    perform(serviceAs(credential), insertEntity, jeff, { signal: controller.signal })
  const read = () => perform(serviceAs(unsigned), getEntity, jeff, { signal: controller.signal })

  const aborted = (mayHaveApplied: boolean) => ({
    name: 'AbortError',
    cause: 'enough',
    mayHaveApplied,
  })

  /** What the server has seen by the time it has seen a request that was made afterwards. */
  async function expectReceived(...methods: string[]): Promise<void> {
    turns = [says(404)]
    const late = perform(serviceAs(unsigned), getEntity, jeff, { retry: noRetry })
    await expect(late).rejects.toMatchObject({ status: 404 })
    expect(received).toEqual([...methods, 'GET'])
  }

  it('before the call sends nothing', async () => {
    controller.abort('enough')
    await expect(insert()).rejects.toMatchObject(aborted(false))
    await expectReceived()
  })

  it('during the wait for a token sends nothing, even if the token arrives', async () => {
    let issue = () => {}
    const slow: Credential = {
      authorize: (request) =>
        new Promise((resolve) => {
          issue = () => resolve(request)
          controller.abort('enough')
        }),
    }
    await expect(insert(slow)).rejects.toMatchObject(aborted(false))
    issue()
    await expectReceived()
  })

  it('during signing sends nothing', async () => {
    const signing: Credential = {
      authorize(request) {
        controller.abort('enough')
        return request
      },
    }
    await expect(insert(signing)).rejects.toMatchObject(aborted(false))
    await expectReceived()
  })

  it('during the wait for the response ends the call', async () => {
    await expect(insert()).rejects.toMatchObject(aborted(true))
    await expectReceived('POST')
  })

  it('during a read changes nothing', async () => {
    await expect(read()).rejects.toMatchObject(aborted(false))
    await expectReceived('GET')
  })

  it('during the body of the response ends the call', async () => {
    const half: Turn = (__, response) => {
      turns.push(silent)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{', () => setImmediate(() => controller.abort('enough')))
    }
    turns = [half]
    await expect(read()).rejects.toMatchObject(aborted(false))
    await expectReceived('GET')
  })

  it('during the wait for a retry ends the wait', async () => {
    const later: Turn = (request, response) => {
      says(503, { 'retry-after': '5' })(request, response)
      turns.push(silent)
      response.on('close', () => setImmediate(() => controller.abort('enough')))
    }
    turns = [later]
    await expect(read()).rejects.toMatchObject(aborted(false))
    await expectReceived('GET')
  })

  it('during the read after a lost response leaves the write in doubt', async () => {
    turns = [hangsUp, says(409, { 'x-ms-error-code': 'EntityAlreadyExists' }), silent]
    await expect(insert()).rejects.toMatchObject(aborted(true))
    await expectReceived('POST', 'POST', 'GET')
  })

  it('during a transaction leaves it in doubt', async () => {
    const changes = [{ operation: insertEntity, input: { ...jeff, etag } }]
    const batch = perform(
      serviceAs(unsigned),
      entityGroupTransaction,
      { table: 'people', changes },
      { signal: controller.signal },
    )
    await expect(batch).rejects.toMatchObject(aborted(true))
    await expectReceived('POST')
  })
})

it('a signal that aborts before the connection sends nothing on it', async () => {
  const received: string[] = []
  const { origin, close } = await loopbackServer((request, response) => {
    received.push(`${request.method}`)
    response.writeHead(404).end()
  })
  const connector = buildConnector({})
  const moments = new EventEmitter()
  const asked = once(moments, 'asked')
  const released = once(moments, 'released')
  const dispatcher = new Agent({
    connect(options, callback) {
      moments.emit('asked')
      released.then(() => connector(options, callback))
    },
  })
  const service = tableService({
    endpoint: `${origin}/acct`,
    credential: unsigned,
    transport: undiciTransport({ dispatcher }),
    retry: noRetry,
  })
  const controller = new AbortController()
  const insert = perform(service, insertEntity, jeff, { signal: controller.signal })
  await asked
  controller.abort('enough')
  await expect(insert).rejects.toMatchObject({
    name: 'AbortError',
    cause: 'enough',
    mayHaveApplied: false,
  })
  moments.emit('released')
  await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ status: 404 })
  expect(received).toEqual(['GET'])
  await service.close()
  await dispatcher.destroy()
  await close()
})
