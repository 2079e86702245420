import { printContinuationToken } from '@rowkey/rest'
import { expect, it } from 'vitest'
import {
  parseEntityToken,
  parseTableToken,
  printEntityToken,
  printTableToken,
} from '../../../packages/data-tables/src/paging/continuation.ts'

const token = { nextPartitionKey: '1!8!cA--', nextRowKey: '1!4!é', query: 'digest' }

it('prints what the official client prints: base64 of JSON, without the digest of the query', () => {
  const { query, ...position } = token
  const text = printEntityToken({ ...position, query }) ?? ''
  expect(JSON.parse(Buffer.from(text, 'base64').toString())).toEqual(position)
  expect(Buffer.from(Buffer.from(text, 'base64')).toString('base64')).toBe(text)
  expect(parseEntityToken(text)).toEqual(position)
  expect(printEntityToken(undefined)).toBeUndefined()
})

it('reads the tokens of the official client, and of Rowkey', () => {
  const official = { nextPartitionKey: '1!8!cA--' }
  const text = Buffer.from(JSON.stringify(official)).toString('base64')
  expect(parseEntityToken(text)).toEqual(official)
  expect(parseEntityToken(printContinuationToken(token))).toEqual(token)
})

it('keeps the place of a page that came from the secondary', () => {
  const secondary = { nextPartitionKey: '', location: 'secondary' } as const
  expect(parseEntityToken(printEntityToken(secondary) ?? '')).toEqual(secondary)
})

it.each(['', 'no token', 'e30=', 'W10'])('rejects %j', (text) => {
  expect(() => parseEntityToken(text)).toThrow(expect.objectContaining({ name: 'InputError' }))
})

it('prints the position in a list of tables as the service gave it', () => {
  const position = { nextTableName: '1!16!cGVvcGxl', query: 'digest' }
  expect(printTableToken(position)).toBe('1!16!cGVvcGxl')
  expect(parseTableToken('1!16!cGVvcGxl')).toEqual({ nextTableName: '1!16!cGVvcGxl' })
  expect(parseTableToken(printContinuationToken(position))).toEqual(position)
})
