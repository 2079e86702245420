import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { sendDelivery } from '../../../packages/local/src/http/send-delivery.ts'
import type { Delivery } from '../../../packages/local/src/injection/delivery.ts'

const answer = { status: 200, headers: { 'x-mine': 'é' }, body: 'aé😀z' }

/** What a client hears: chunks are joined, and `aborted` is a body that did not come to its end. */
const heardOf = async (delivery: Delivery) => {
  const waits: number[] = []
  const server = createServer(async (_, response) => {
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
const bytes = Buffer.from(answer.body).toString('latin1')

it.each<[Delivery, string, number[]]>([
  [{ kind: 'whole', response: answer }, bytes, []],
  [{ kind: 'whole', response: json }, json.body, []],
  [{ kind: 'late', response: answer, delay: 70 }, bytes, [70]],
  [{ kind: 'paused', response: answer, after: 2, delay: 80 }, bytes, [80]],
  [{ kind: 'truncated', response: answer, after: 2 }, `${bytes.slice(0, 2)} aborted`, []],
  [{ kind: 'lost', connection: 'closed' }, 'nothing', []],
  [{ kind: 'lost', connection: 'reset' }, 'nothing', []],
])('sendDelivery of %o', async (delivery, heard, waits) => {
  expect(await heardOf(delivery)).toEqual({ heard, waits })
})

it.each<Delivery>([
  { kind: 'late', response: answer, delay: 70 },
  { kind: 'paused', response: answer, after: 2, delay: 80 },
])('holds back $kind for longer than a client may take to read', async (delivery) => {
  const timeouts: unknown[] = []
  const server = createServer((message, response) =>
    sendDelivery(delivery, response, {
      pause: async () => {
        timeouts.push(message.socket.timeout)
        response.once('finish', () => timeouts.push('finished'))
        response.setTimeout = (timeout) => {
          timeouts.push(timeout)
          return response
        }
      },
      closing: new AbortController().signal,
      timeout: 50,
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
  await new Promise((resolve) => server.close(resolve))
  expect(timeouts).toEqual([0, 50, 'finished'])
})

it.each<[Delivery, RegExp]>([
  [{ kind: 'truncated', response: answer, after: 1 }, /^HTTP.*whole.*HTTP.*\r\na$/s],
  [{ kind: 'lost', connection: 'closed' }, /^HTTP.*whole$/s],
  [{ kind: 'lost', connection: 'reset' }, /^(?:HTTP.*whole)?$/s],
])(
  'ends a connection by %o behind an answer that was asked for before it',
  async (second, heard) => {
    const first: Delivery = { kind: 'late', response: { ...answer, body: 'whole' }, delay: 1 }
    let isSecondAsked = (): void => {}
    const asked = new Promise<void>((resolve) => {
      isSecondAsked = resolve
    })
    let count = 0
    const server = createServer(async (_, response) => {
      const delivery = ++count === 1 ? first : second
      const closing = new AbortController().signal
      const sent = sendDelivery(delivery, response, {
        pause: () => asked,
        closing,
        timeout: 60_000,
      })
      if (delivery === second) isSecondAsked()
      await sent
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const text = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(received))
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
    })
    await new Promise((resolve) => server.close(resolve))
    expect(text).toMatch(heard)
  },
)
