import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import type { Delivery } from '../../../packages/local/src/delivery/delivery.ts'
import { sendDelivery } from '../../../packages/local/src/http/send-delivery.ts'

const response = { status: 200, headers: { 'x-mine': 'é' }, body: 'aé😀z' }

/** Returns the chunks that a client receives, joined; `aborted` marks an incomplete body. */
const heardOf = async (delivery: Delivery, begin = async () => {}) => {
  const waits: number[] = []
  const server = createServer(async (_, response) => {
    await begin()
    await sendDelivery(delivery, response, {
      pause: async (delay) => {
        waits.push(delay)
      },
      closing: new AbortController().signal,
      timeout: 60_000,
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const heard = await new Promise<string>((resolve) => {
    const message = request({ port, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      const text = () => Buffer.concat(chunks).toString('latin1')
      response.on('end', () => resolve(text()))
      response.on('error', () => resolve(`${text()} aborted`))
    })
    message.on('error', () => resolve('nothing'))
    message.end()
  })
  await new Promise((resolve) => server.close(resolve))
  return { heard, waits }
}

const json = {
  status: 200,
  headers: { 'content-type': 'application/json;odata=minimalmetadata' },
  body: '{"a":"\\u00e9"}',
}
const bytes = Buffer.from(response.body).toString('latin1')

it.each<[Delivery, string, number[]]>([
  [{ kind: 'whole', response: response }, bytes, []],
  [{ kind: 'whole', response: json }, json.body, []],
  [{ kind: 'late', response: response, delay: 70 }, bytes, [70]],
  [{ kind: 'paused', response: response, after: 2, delay: 80 }, bytes, [80]],
  [{ kind: 'truncated', response: response, after: 2 }, `${bytes.slice(0, 2)} aborted`, []],
  [{ kind: 'lost', connection: 'closed' }, 'nothing', []],
  [{ kind: 'lost', connection: 'reset' }, 'nothing', []],
])('sendDelivery of %o', async (delivery, heard, waits) => {
  expect(await heardOf(delivery)).toEqual({ heard, waits })
})

it.each(['whole', 'late', 'paused'] as const)('sends all pieces of a %s response', async (kind) => {
  // More than the system takes at once, and each kind of text.
  const body = ['a'.repeat(5_000_000), 'é'.repeat(100_000), '', '😀'.repeat(100_000), 'z']
  const delivery = { kind, response: { ...response, body }, after: 2, delay: 70 }
  const requestIsRead = () => new Promise<void>((resolve) => setImmediate(resolve))
  const { heard } = await heardOf(delivery, requestIsRead)
  expect(heard === Buffer.from(body.join('')).toString('latin1')).toBe(true)
})

/** The client is gone before the second. */
const sendTwice = async (response: ServerResponse) => {
  const body = Array.from({ length: 200 }, () => 'x'.repeat(100_000))
  const delivery: Delivery = { kind: 'whole', response: { ...json, body } }
  const waiting = {
    pause: () => expect.fail('nothing is late'),
    closing: new AbortController().signal,
    timeout: 60_000,
  }
  await sendDelivery(delivery, response, waiting)
  await sendDelivery(delivery, response, waiting)
}

it('sends nothing more to a client that leaves between two pieces, and waits for nothing', async () => {
  let sent: Promise<void> | undefined
  const server = createServer((_, response) => {
    sent = sendTwice(response)
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(client, 'data')
  client.destroy()
  await sent
  await new Promise((resolve) => server.close(resolve))
})
