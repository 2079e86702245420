import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Delivery } from '../../../packages/local/src/delivery/delivery.ts'
import { sendDelivery } from '../../../packages/local/src/http/send-delivery.ts'

const response = { status: 200, headers: { 'x-mine': 'é' }, body: 'aé😀z' }

/** Returns the chunks that a client receives, joined; `aborted` marks an incomplete body. */
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
