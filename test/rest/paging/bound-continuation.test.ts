import {
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  queryTables,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  checkBoundContinuation,
  readBoundContinuation,
} from '../../../packages/rest/src/paging/bound-continuation.ts'
import { contoso } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const query = { table: 'people', filter: "PartitionKey ge 'Smith'", select: ['RowKey'] }
const headers = { 'x-ms-continuation-nextpartitionkey': '1!8!U21pdGg-' }
const continuation = readBoundContinuation(headers, query)

describe('readBoundContinuation', () => {
  it('has nothing on the last page', () => {
    expect(readBoundContinuation({}, query)).toBeUndefined()
  })
})

describe('checkBoundContinuation', () => {
  it.each([
    ['the query that it came with', query],
    ['the same query with another page size', { ...query, top: 7 }],
  ])('lets %s go on', (_, same) => {
    expect(() => checkBoundContinuation({ ...same, continuation })).not.toThrow()
  })

  it('lets a token go on that says nothing of its query', () => {
    const byHand = { nextPartitionKey: '1!8!U21pdGg-' }
    expect(() => checkBoundContinuation({ ...query, continuation: byHand })).not.toThrow()
  })

  it.each([
    ['another table', { ...query, table: 'orders' }],
    ['another filter', { ...query, filter: "PartitionKey ge 'Smyth'" }],
    ['no filter', { ...query, filter: undefined }],
    ['another select', { ...query, select: ['RowKey', 'age'] }],
  ])('refuses a token for %s, before anything is sent', async (_, other) => {
    const transport = scriptedTransport({ body: '{"value":[]}' })
    const call = perform(serviceOver(transport), queryEntities, { ...other, continuation })
    await expect(call).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
      message: expect.stringContaining('another query'),
    })
    expect(transport.requests).toHaveLength(0)
  })

  it.each([
    {},
    { nextRowKey: 'r' },
    { nextTableName: 't' },
    { nextPartitionKey: 'p', nextTableName: 't' },
  ])('refuses %j for a query of entities', (continuation) => {
    expect(() => queryEntities.toRequest({ ...query, continuation }, contoso)).toThrow(
      expect.objectContaining({
        code: 'InvalidContinuationToken',
        message: expect.stringContaining('nextPartitionKey'),
      }),
    )
  })

  it.each([{}, { nextPartitionKey: 'p' }, { nextRowKey: 'r' }])(
    'refuses %j for a list of tables',
    (continuation) => {
      expect(() => queryTables.toRequest({ continuation }, contoso)).toThrow(
        expect.objectContaining({
          code: 'InvalidContinuationToken',
          message: expect.stringContaining('nextTableName'),
        }),
      )
    },
  )

  it('refuses a token of entities for a list of tables, and the other way round', () => {
    expect(() => queryTables.toRequest({ continuation }, contoso)).toThrow('another query')
    const ofTables = readBoundContinuation({ 'x-ms-continuation-nexttablename': 't' }, {})
    expect(() => queryTables.toRequest({ continuation: ofTables }, contoso)).not.toThrow()
    expect(() =>
      queryEntities.toRequest({ table: 'people', continuation: ofTables }, contoso),
    ).toThrow('another query')
  })

  it.each([
    ['non-ASCII keys', { 'x-ms-continuation-nextpartitionkey': 'Müller€😀' }],
    ['no NextRowKey', { 'x-ms-continuation-nextpartitionkey': '1!8!U21pdGg-' }],
    [
      'the JSON of Cosmos DB',
      {
        'x-ms-continuation-nextpartitionkey': '{"token":"+iB==","range":{"min":"","max":"FF"}}',
        'x-ms-continuation-nextrowkey': 'NA',
      },
    ],
  ])('R-32: knows its query again after it was text, with %s', (_, found) => {
    const token = readBoundContinuation(found, query)
    const again = parseContinuationToken(printContinuationToken(token!))
    expect(again).toStrictEqual(token)
    expect(() => checkBoundContinuation({ ...query, continuation: again })).not.toThrow()
    expect(() =>
      checkBoundContinuation({ ...query, table: 'orders', continuation: again }),
    ).toThrow('another query')
  })
})
