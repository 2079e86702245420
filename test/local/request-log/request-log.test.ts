import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { readAccountKeys } from '../../../packages/local/src/account/account.ts'
import { requestFacts, tableInBody } from '../../../packages/local/src/request-log/request-log.ts'
import { Conversation, changeSetOf, KEY, NOON } from '../../support/local-conversation.ts'
import { tableSas } from '../../support/local-sas.ts'

const failure = new Error('no log')
const fail = (): never => {
  throw failure
}

const row = (rowKey: string) => ({ PartitionKey: 'a', RowKey: rowKey })

describe('the request log', () => {
  it('records each request and its response in the order of arrival', async () => {
    const service = new Conversation()
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    service.now += 1000
    await service.send('POST', '/people', { body: row('b') })
    await service.send('POST', '/people', {
      body: row('b'),
      headers: { 'x-ms-client-request-id': 'mine' },
    })
    const { requests } = service.local
    expect(requests.count).toBe(3)
    expect(
      requests.entries().map((one) => [one.number, one.operation, one.table, one.status]),
    ).toEqual([
      [1, 'createTable', 'people', 201],
      [2, 'insertEntity', 'people', 201],
      [3, 'insertEntity', 'people', 409],
    ])
    expect(requests.entries()[2]).toEqual({
      number: 3,
      duration: 0,
      time: NOON + 1000,
      method: 'POST',
      operation: 'insertEntity',
      account: 'contoso',
      location: 'primary',
      table: 'people',
      path: '/contoso/people',
      query: '',
      status: 409,
      errorCode: 'EntityAlreadyExists',
      requestId: 'id-3',
      clientRequestId: 'mine',
      fault: undefined,
    })
  })

  it.each([
    ['throws', () => fail()],
    ['rejects with', async () => fail()],
  ])('passes what onRequest %s to onInternalError', async (_, onRequest) => {
    const errors: unknown[] = []
    const service = new Conversation({ onRequest, onInternalError: (error) => errors.push(error) })
    const { status } = await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    expect([status, errors]).toEqual([201, [failure]])
  })

  it('names the table of a batch', async () => {
    const service = await Conversation.withTable('people')
    await service.send(
      'POST',
      '/$batch',
      changeSetOf({ method: 'POST', target: '/people', body: row('b') }),
    )
    expect(service.local.requests.entries().at(-1)).toMatchObject({
      operation: 'entityGroupTransaction',
      table: 'people',
      status: 202,
    })
  })

  it('keeps only the newest requests, or none', async () => {
    const few = new Conversation({ requestLogSize: 2 })
    const none = new Conversation({ requestLogSize: 0 })
    for (const target of ['/Tables', '/a1b()', "/Tables('x')"]) {
      await few.send('GET', target)
      await none.send('GET', target)
    }
    expect(few.local.requests.entries().map(({ number }) => number)).toEqual([2, 3])
    expect([none.local.requests.count, none.local.requests.entries()]).toEqual([3, []])
    few.local.requests.clear()
    expect([few.local.requests.count, few.local.requests.entries()]).toEqual([0, []])
  })

  it('contains no signature and no key', async () => {
    const service = await Conversation.withTable('people')
    const sas = tableSas()
    const signature = /sig=([^&]+)/.exec(sas)?.[1] ?? expect.fail('the SAS has a signature')
    expect((await service.send('GET', '/people()', { sas })).status).toBe(200)
    const shown = `${JSON.stringify(service.local.requests.entries())}${inspect(service.local.requests, { depth: 9 })}`
    expect(shown).toContain('sig=REDACTED')
    for (const secret of [signature, decodeURIComponent(signature), KEY, 'SharedKeyLite']) {
      expect(shown).not.toContain(secret)
    }
  })

  it.each([
    ['/people%3Fsv=1&sig=c2VjcmV0', ''],
    ['/people%3Fsig%3Dc2VjcmV0%26se=1', ''],
    ['/people()', 's%69g=c2VjcmV0'],
    ['/people()', 'a=1&%53ig%3dc2VjcmV0'],
    ['/people()', 'sv=1&amp;sig=c2VjcmV0&amp;se=2'],
    ['/people()', 'sv=1%26amp;sig%3Dc2VjcmV0'],
    ['/people()', 'token=sig=c2VjcmV0'],
    ['/people()', 'to=a%253Fsv%253D1%2526sig%253Dc2VjcmV0%2526se%253D2'],
  ])('hides the signature of %s?%s', async (path, sas) => {
    const service = new Conversation()
    await service.send('GET', path, { sas })
    const shown = JSON.stringify(service.local.requests.entries())
    expect(shown).toContain('REDACTED')
    expect(shown).not.toContain('c2VjcmV0')
  })

  it('keeps names that only end like a signature', async () => {
    const service = new Conversation()
    await service.send('GET', '/people()?design=1&assig=2')
    expect(service.local.requests.entries()[0]?.query).toBe('design=1&assig=2')
  })
})

const accounts = readAccountKeys([{ name: 'contoso', key: 'AAAA' }])
const factsOf = (path: string, bodyTable?: string) =>
  requestFacts(
    accounts,
    { method: 'GET', origin: 'http://localhost', path, query: '', headers: {} },
    bodyTable,
  )

describe('requestFacts', () => {
  it('describes a request', () => {
    expect(factsOf("/contoso-secondary/people(PartitionKey='a',RowKey='b')")).toEqual({
      method: 'GET',
      operation: 'getEntity',
      account: 'contoso',
      location: 'secondary',
      table: 'people',
    })
    expect(factsOf('/contoso/Tables', 'people')).toMatchObject({
      operation: 'queryTables',
      location: 'primary',
      table: 'people',
    })
  })

  it.each(['/', '/fabrikam/Tables', '/contoso/%ff', '/contoso/people(x)', ''])(
    'knows nothing of a request to %j, and does not throw',
    (path) => {
      expect(factsOf(path)).toEqual({
        method: 'GET',
        operation: undefined,
        account: undefined,
        location: 'primary',
        table: undefined,
      })
    },
  )
})

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
