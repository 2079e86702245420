import { parseContinuationToken, printContinuationToken } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readContinuation } from '../../../packages/rest/src/paging/continuation-token.ts'

const part = fc.option(fc.string({ unit: 'binary', minLength: 1 }), { nil: undefined })

describe('printContinuationToken', () => {
  it('is read back, whatever the parts, and can stand in a URL', () => {
    fc.assert(
      fc.property(part, part, part, part, (partition, nextRowKey, nextTableName, query) => {
        const nextPartitionKey = partition ?? (nextTableName === undefined ? 'p' : undefined)
        const token = {
          ...(nextPartitionKey && { nextPartitionKey }),
          ...(nextRowKey && { nextRowKey }),
          ...(nextTableName && { nextTableName }),
          ...(query && { query }),
        }
        const text = printContinuationToken(token)
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(parseContinuationToken(text)).toEqual(token)
      }),
    )
  })

  it('remembers that its page came from the secondary', () => {
    const token = { nextPartitionKey: 'a', location: 'secondary' } as const
    expect(parseContinuationToken(printContinuationToken(token))).toEqual(token)
    const primary = { nextPartitionKey: 'a', location: 'primary' } as const
    expect(parseContinuationToken(printContinuationToken(primary))).toEqual({
      nextPartitionKey: 'a',
    })
  })

  it('keeps the JSON that Cosmos DB uses for a token', () => {
    const token = { nextPartitionKey: '{"token":"+iBeAJJv6IgC==","range":{}}', nextRowKey: 'NA' }
    expect(parseContinuationToken(printContinuationToken(token))).toEqual(token)
  })
})

describe('parseContinuationToken', () => {
  const whole = printContinuationToken({ nextPartitionKey: '1!8!U21pdGg-' })

  it.each([
    '',
    ' ',
    'x',
    'null',
    `${whole}=`,
    ` ${whole}`,
    `${whole}\n`,
    whole.slice(0, -3),
    Buffer.from('[1,2,3]').toString('base64url'),
    Buffer.from('["a"]').toString('base64url'),
    Buffer.from('{"nextPartitionKey":"a"}').toString('base64url'),
    Buffer.from('["a",null,null]').toString('base64url'),
    Buffer.from('["",null,null,null]').toString('base64url'),
    Buffer.from('[null,null,null,null]').toString('base64url'),
    Buffer.from('[null,null,null,"digest"]').toString('base64url'),
    Buffer.from('[null,"r",null,null]').toString('base64url'),
    Buffer.from('["a",null,null,1]').toString('base64url'),
    undefined,
    null,
    7,
    {},
  ])('refuses %j', (text) => {
    expect(() => parseContinuationToken(text as string)).toThrow(
      expect.objectContaining({
        name: 'ContinuationTokenError',
        code: 'InvalidContinuationToken',
      }),
    )
  })

  it('gives a token that prints the same, or refuses', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let token: ReturnType<typeof parseContinuationToken> | undefined
        try {
          token = parseContinuationToken(text)
        } catch (error) {
          expect(error).toMatchObject({ code: 'InvalidContinuationToken' })
        }
        if (token) expect(printContinuationToken(token)).toBe(text)
      }),
    )
  })
})

describe('readContinuation', () => {
  it.each([
    [{}, undefined],
    [{ 'x-ms-continuation-nextpartitionkey': 'p' }, { nextPartitionKey: 'p' }],
    [
      { 'x-ms-continuation-nextpartitionkey': 'p', 'x-ms-continuation-nextrowkey': 'r' },
      { nextPartitionKey: 'p', nextRowKey: 'r' },
    ],
    [
      { 'x-ms-continuation-nextpartitionkey': 'p', 'x-ms-continuation-nextrowkey': '' },
      { nextPartitionKey: 'p' },
    ],
    [{ 'x-ms-continuation-nexttablename': 't' }, { nextTableName: 't' }],
  ])('R-32: reads %j', (headers, token) => {
    expect(readContinuation(headers)).toStrictEqual(token)
  })
})
