import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../../packages/local/src/http/read-body.ts'

const messageOf = (...chunks: Buffer[]) => Readable.from(chunks) as IncomingMessage

describe('readBody', () => {
  it('joins chunks before it decodes them', async () => {
    const bytes = Buffer.from('a😀é')
    const message = messageOf(...Array.from(bytes, (byte) => Buffer.from([byte])))
    expect(await readBody(message)).toBe('a😀é')
    expect(await readBody(messageOf())).toBe('')
  })

  it('refuses what is not UTF-8', async () => {
    await expect(readBody(messageOf(Buffer.from([0xc3])))).rejects.toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
  })

  it('reads a body of 4 MiB, and refuses one byte more', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'a')
    const whole = [chunk, chunk, chunk, chunk]
    expect(await readBody(messageOf(...whole))).toHaveLength(2 ** 22)
    await expect(readBody(messageOf(...whole, Buffer.from('a')))).rejects.toMatchObject({
      status: 413,
    })
  })

  it('stops reading at 64 MiB', async () => {
    let read = 0
    const endless = Readable.from(
      (function* () {
        const chunk = Buffer.alloc(2 ** 20, 'a')
        for (;;) {
          read += 1
          yield chunk
        }
      })(),
    ) as IncomingMessage
    await expect(readBody(endless)).rejects.toMatchObject({ status: 413 })
    expect(read).toBeLessThan(70)
  })
})
