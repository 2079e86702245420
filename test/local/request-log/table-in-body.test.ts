import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { tableInBody } from '../../../packages/local/src/request-log/request-log.ts'
import { changeSetOf } from '../../support/local-conversation.ts'

const requestOf = (path: string, body: string | undefined): HttpRequest => ({
  method: 'POST',
  origin: '',
  path,
  query: '',
  headers: {},
  body,
})
const changesOf = (method: string, target: string) =>
  String(changeSetOf({ method, target, body: '{"a":"POST /x/y("}' }).body)

describe('tableInBody', () => {
  it.each([
    ['/contoso/Tables', '{"odata.type":"x", "TableName" : "people"}', 'people'],
    ['/contoso/Tables()', '{"TableName":"people"}', 'people'],
    ['/$batch', changesOf('POST', '/people'), 'people'],
    ['/$batch', changesOf('MERGE', "/people(PartitionKey='a%2Fb',RowKey='c')"), 'people'],
    ['/$batch', 'POST /people?$format=json HTTP/1.1', 'people'],
    ['/$batch/', changesOf('POST', '/%E8%A1%A8%201/'), '表 1'],
    ['/contoso/Tables/', '{"TableName":"\\u8868 \\"1"}', '表 "1'],
    ['/$batch', 'POST /a%ff HTTP/1.1', undefined],
    ['/contoso/Tables', '{"TableName":"\\x"}', undefined],
    ['/$batch', 'nothing', undefined],
    ['/contoso/people', '{"TableName":"people"}', undefined],
    ['/contoso/Tables', undefined, undefined],
  ])('finds in a request to %s the table of its body %j', (path, body, table) => {
    expect(tableInBody(requestOf(path, body))).toBe(table)
  })

  it('does not search far into a large body', () => {
    const body = `${' '.repeat(5000)}{"TableName":"people"}`
    expect(tableInBody(requestOf('/contoso/Tables', body))).toBeUndefined()
  })

  it('does not keep the body in memory through the name', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const heap = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = heap()
    const names = Array.from({ length: 50 }, (_, at) => {
      const body = `POST /tablewithalongname${at}${` HTTP/1.1\n${'x'.repeat(2 ** 20)}`}`
      // As the listener creates it: a flat string, not a concatenation.
      return tableInBody(requestOf('/$batch', Buffer.from(body).toString()))
    })
    expect(heap() - before).toBeLessThan(10 * 2 ** 20)
    expect(names[49]).toBe('tablewithalongname49')
  })
})
