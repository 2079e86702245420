import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  discardRest,
  hasBody,
  MemoryBudget,
  readBody,
} from '../../../packages/local/src/http/incoming-request.ts'
import { ClientGone } from '../../../packages/local/src/request/client.ts'

const CHUNKED = { 'transfer-encoding': 'chunked' }

const asMessage = (stream: Readable, headers = {}) =>
  Object.assign(stream, { headers }) as IncomingMessage

const messageOf = (...chunks: Buffer[]) => asMessage(Readable.from(chunks), CHUNKED)

const share = () => new MemoryBudget(2 ** 30).share()

it.each([
  [{}, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [CHUNKED, true],
])('hasBody of the head %j is %j', (head, expected) => {
  expect(hasBody(asMessage(new Readable(), head))).toBe(expected)
})

describe('readBody', () => {
  it('joins chunks before it decodes them', async () => {
    const bytes = Buffer.from('a😀é')
    const message = messageOf(...Array.from(bytes, (byte) => Buffer.from([byte])))
    expect(await readBody(message, share())).toBe('a😀é')
    expect(await readBody(messageOf(), share())).toBe('')
  })

  it('rejects a body that is not UTF-8', async () => {
    await expect(readBody(messageOf(Buffer.from([0xc3])), share())).rejects.toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
  })

  it('accepts a body of 4 MiB, and rejects one byte more', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'a')
    const whole = [chunk, chunk, chunk, chunk]
    expect(await readBody(messageOf(...whole), share())).toHaveLength(2 ** 22)
    await expect(readBody(messageOf(...whole, Buffer.from('a')), share())).rejects.toMatchObject({
      status: 413,
    })
  })

  it('fails when the client goes away before the end', async () => {
    const broken = asMessage(new Readable({ read: () => {} }), CHUNKED)
    const reading = readBody(broken, share())
    broken.push('{"a"')
    const cause = new Error('aborted')
    broken.destroy(cause as Error)
    await expect(reading).rejects.toThrow(ClientGone)
  })

  it('does not wait for the end of a body that is too large', async () => {
    const endless = asMessage(new Readable({ read: () => {} }), CHUNKED)
    endless.push(Buffer.alloc(2 ** 22 + 1, 'a'))
    await expect(readBody(endless, share())).rejects.toMatchObject({ status: 413 })
  })

  it('rejects with 503 what the listener cannot hold, and holds nothing of it', async () => {
    const budget = new MemoryBudget(10)
    const busy = messageOf(Buffer.from('123456'), Buffer.from('789012'), Buffer.from('3'))
    await expect(readBody(busy, budget.share())).rejects.toMatchObject({
      status: 503,
      code: 'ServerBusy',
    })
    expect(budget.share().take(10)).toBe(true)
  })
})

describe('discardRest', () => {
  it('reads a request to its end', async () => {
    const message = messageOf(Buffer.from('123'), Buffer.from('456'))
    await new Promise<void>((resolve) => discardRest(message, resolve))
    expect(message.readableEnded).toBe(true)
  })

  it('reads 64 MiB of a request without end', async () => {
    let read = 0
    const chunk = Buffer.alloc(2 ** 20, 'a')
    const endless = asMessage(
      Readable.from(
        (function* () {
          for (; ; read++) yield chunk
        })(),
      ),
    )
    await new Promise<void>((resolve) => {
      endless.once('close', resolve)
      discardRest(endless, () => endless.destroy())
    })
    expect(read).toBeGreaterThan(63)
    expect(read).toBeLessThan(90)
  })
})
