import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readRequestHead } from '../../../packages/local/src/http/incoming-request.ts'

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
