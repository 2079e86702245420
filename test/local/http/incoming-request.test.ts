import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { LOOPBACK } from '../../../packages/local/src/delivery/delivery.ts'
import {
  checkHead,
  clientAddress,
  discardRest,
  hasBody,
  MemoryBudget,
  readBody,
  readRequestHead,
} from '../../../packages/local/src/http/incoming-request.ts'
import { ClientGone } from '../../../packages/local/src/request/client.ts'

const check = (method: string, headers: Record<string, string>, url = '/a') => {
  const rawHeaders = Object.entries(headers).flat()
  const message = { method, url, headers, rawHeaders } as unknown as IncomingMessage
  checkHead(message, readRequestHead(message))
}
const code = (expected: string) => expect.objectContaining({ code: expected })

describe('checkHead', () => {
  it('accepts every verb of the service, and those with a body by its length', () => {
    const headers = { host: 'a', 'content-length': '0' }
    for (const method of ['DELETE', 'GET', 'HEAD', 'MERGE', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
      expect(() => check(method, headers)).not.toThrow()
    }
    expect(() => check('POST', { host: 'a', 'transfer-encoding': 'chunked' })).not.toThrow()
    expect(() => check('DELETE', { host: 'a' })).not.toThrow()
  })

  it.each(['a', 'a_b.c:1', '127.0.0.1:10002', '[::1]:10002', '[::ffff:1.2.3.4]', 'a.'])(
    'accepts the host %s',
    (host) => {
      expect(() => check('GET', { host })).not.toThrow()
    },
  )

  it.each(['a b', 'a"', '<a>', 'a/b', 'a@b', '表', 'Ã©', 'a:b', '[::1', 'a:1:2', '\\'])(
    'rejects the host %s, which would be in the addresses of the response',
    (host) => {
      expect(() => check('GET', { host })).toThrow(code('InvalidHeaderValue'))
    },
  )

  it.each(['gzip', 'gzip, chunked', 'identity'])(
    'rejects the Transfer-Encoding %s, because it would read the coded bytes as text',
    (coding) => {
      const headers = { host: 'a', 'transfer-encoding': coding }
      expect(() => check('POST', headers)).toThrow(code('NotImplemented'))
    },
  )

  it('rejects an unknown verb, a body without length, a missing host, and a missing path', () => {
    expect(() => check('TRACE', { host: 'a' })).toThrow(code('UnsupportedHttpVerb'))
    expect(() => check('MERGE', { host: 'a' })).toThrow(code('MissingContentLengthHeader'))
    expect(() => check('GET', {})).toThrow(code('HostInformationNotPresent'))
    expect(() => check('GET', { host: 'a' }, '*')).toThrow(code('InvalidUri'))
  })
})

describe('clientAddress', () => {
  it.each([
    ['168.1.5.60', '168.1.5.60'],
    ['::ffff:168.1.5.60', '168.1.5.60'],
    ['::FFFF:168.1.5.60', '168.1.5.60'],
    ['::1', LOOPBACK],
    ['2001:db8::1', '2001:db8::1'],
    [undefined, ''],
  ])('returns %s as %s', (remoteAddress, expected) => {
    expect(clientAddress({ remoteAddress })).toBe(expected)
  })
})

it('a MemoryBudget gives no more than is left, and takes back what is released', () => {
  const budget = new MemoryBudget(10)
  const [first, second] = [budget.share(), budget.share()]
  expect([first.take(6), second.take(5), second.take(4), first.take(1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  first.release()
  first.release()
  expect([second.take(7), second.take(6)]).toEqual([false, true])
})

it('a MemoryBudget is spent when nothing is left, including forced bytes', () => {
  const budget = new MemoryBudget(10)
  const share = budget.share()
  share.force(9)
  expect(budget.isSpent).toBe(false)
  share.force(9)
  expect([budget.isSpent, budget.share().take(1)]).toEqual([true, false])
  share.release()
  expect([budget.isSpent, budget.share().take(10)]).toEqual([false, true])
})

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

const read = (url: string) => {
  const { origin, path, query } = readRequestHead({
    method: 'GET',
    url,
    headers: { host: 'localhost:1' },
  } as IncomingMessage)
  return [origin, path, query]
}

describe('readRequestHead', () => {
  it.each([
    ['/a', '/a', ''],
    ["/t(PartitionKey='%2F')?a=1?b&c", "/t(PartitionKey='%2F')", 'a=1?b&c'],
    ['http://other:9/a%20b?c', '/a%20b', 'c'],
    ['/a?', '/a', ''],
    ['*', '', ''],
    ['a', '', ''],
  ])('splits the target %s without decoding it', (url, path, query) => {
    expect(read(url)).toEqual(['http://localhost:1', path, query])
  })
})
