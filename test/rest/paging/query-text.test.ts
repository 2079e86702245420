import {
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  queryTables,
} from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkContinuation,
  locationOf,
  queryText,
  readContinuation,
} from '../../../packages/rest/src/paging/query-text.ts'
import { anyText } from '../../support/any-text.ts'
import { contoso } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('queryText', () => {
  it('is empty without options', () => {
    expect(queryText({}, 'storage')).toBe('')
    expect(queryText({ filter: '', select: [], continuation: {} }, 'storage')).toBe('')
  })

  it('R-22: encodes every query value', () => {
    const value = `/?:@&=+,$' %#"é`
    const encoded = '%2F%3F%3A%40%26%3D%2B%2C%24%27%20%25%23%22%C3%A9'
    const continuation = { nextPartitionKey: value, nextRowKey: value, nextTableName: value }
    expect(queryText({ filter: value, continuation }, 'storage')).toBe(
      `$filter=${encoded}&NextPartitionKey=${encoded}&NextRowKey=${encoded}&NextTableName=${encoded}`,
    )
  })

  it('R-22: reads back after one decoding', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(text, text, (filter, nextPartitionKey) => {
        const query = queryText({ filter, continuation: { nextPartitionKey } }, 'storage')
        expect(query).toMatch(/^[\x21-\x7e]+$/)
        expect(query).not.toContain('+')
        const read = new URLSearchParams(query)
        expect(read.get('$filter')).toBe(filter)
        expect(read.get('NextPartitionKey')).toBe(nextPartitionKey)
      }),
    )
  })

  it.each([1, 1000])('accepts a page of %i', (top) => {
    expect(queryText({ top }, 'storage')).toBe(`$top=${top}`)
  })

  it.each([0, -1, 1001, 1.5, Number.NaN, '5', null])('rejects a page of %j', (top) => {
    expect(() => queryText({ top: top as number }, 'storage')).toThrow(
      expect.objectContaining({
        code: 'InvalidQueryOption',
        message: expect.stringMatching(
          /^\$top, the page size, must be a whole number from 1 to 1000; got (?:-?[\d.]+|NaN|a text|null)\.$/,
        ),
      }),
    )
  })

  it('accepts a larger page on Cosmos DB', () => {
    expect(queryText({ top: 5000 }, 'cosmos')).toBe('$top=5000')
  })

  it.each([[['a,b']], [['']], [[7]], [[null]], [null], [7], ['age'], [{}]])(
    'rejects the projection %j',
    (select) => {
      expect(() => queryText({ select: select as string[] }, 'storage')).toThrow(
        expect.objectContaining({ code: 'InvalidQueryOption' }),
      )
    },
  )

  it('rejects a projection of more properties than an entity can have', () => {
    const select = Array.from({ length: 256 }, (_, index) => `p${index}`)
    expect(() => queryText({ select }, 'storage')).toThrow(/up to 255 names/)
    expect(() => queryText({ select: select.slice(1) }, 'storage')).not.toThrow()
  })

  it('rejects a lone surrogate, which no URL can contain', () => {
    expect(() => queryText({ filter: "a eq '\ud800'" }, 'storage')).toThrow(
      expect.objectContaining({ code: 'InvalidQueryOption' }),
    )
  })
})

const text = anyText({ minLength: 1 })
const part = fc.option(text, { nil: undefined })
const whole = printContinuationToken({ nextPartitionKey: '1!8!U21pdGg-' })

const query = { table: 'people', filter: "PartitionKey ge 'Smith'", select: ['RowKey'] }
const headers = { 'x-ms-continuation-nextpartitionkey': '1!8!U21pdGg-' }
const continuation = readContinuation(headers, query)

describe('printContinuationToken', () => {
  it('writes text that is read back, whatever the parts, and can stand in a URL', () => {
    const partition = fc.option(anyText(), { nil: undefined })
    fc.assert(
      fc.property(partition, part, part, part, (given, nextRowKey, nextTableName, digest) => {
        const nextPartitionKey = given ?? (nextTableName === undefined ? 'p' : undefined)
        const token = {
          ...(nextPartitionKey !== undefined && { nextPartitionKey }),
          ...(nextRowKey && { nextRowKey }),
          ...(nextTableName && { nextTableName }),
          ...(digest && { query: digest }),
        }
        const printed = printContinuationToken(token)
        expect(printed).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(parseContinuationToken(printed)).toEqual(token)
      }),
    )
  })

  it('keeps the location of a page that came from the secondary', () => {
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
  it.each([
    '',
    ' ',
    'x',
    'null',
    `${whole}=`,
    ` ${whole}`,
    `${whole}\n`,
    whole.slice(0, -3),
    ...[
      '[1,2,3]',
      '["a"]',
      '{"nextPartitionKey":"a"}',
      '["a",null,null]',
      '[null,null,null,null]',
      '[null,null,null,"digest"]',
      '[null,"r",null,null]',
      '["a","",null,null]',
      '["a",null,null,1]',
    ].map((json) => Buffer.from(json).toString('base64url')),
    undefined,
    null,
    7,
    {},
  ])('rejects %j', (given) => {
    expect(() => parseContinuationToken(given as string)).toThrow(
      expect.objectContaining({ code: 'InvalidContinuationToken' }),
    )
  })

  it('returns a token that prints as the same text, or throws', () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        let token: ReturnType<typeof parseContinuationToken> | undefined
        try {
          token = parseContinuationToken(given)
        } catch (error) {
          expect(error).toMatchObject({ code: 'InvalidContinuationToken' })
        }
        if (token) expect(printContinuationToken(token)).toBe(given)
      }),
    )
  })
})

describe('readContinuation', () => {
  const PARTITION = 'x-ms-continuation-nextpartitionkey'
  const ROW = 'x-ms-continuation-nextrowkey'

  it.each([
    [{ [PARTITION]: 'p' }, { nextPartitionKey: 'p' }],
    [
      { [PARTITION]: 'p', [ROW]: 'r' },
      { nextPartitionKey: 'p', nextRowKey: 'r' },
    ],
    [{ [PARTITION]: 'p', [ROW]: '' }, { nextPartitionKey: 'p' }],
    [
      { [PARTITION]: '', [ROW]: 'cg==' },
      { nextPartitionKey: '', nextRowKey: 'cg==' },
    ],
    [{ [PARTITION]: '', [ROW]: '' }, { nextPartitionKey: '' }],
    [{ [ROW]: 'cg==' }, { nextPartitionKey: '', nextRowKey: 'cg==' }],
    [{ 'x-ms-continuation-nexttablename': 't' }, { nextTableName: 't' }],
  ])('R-32: reads %j', (found, token) => {
    expect(readContinuation(found, query)).toStrictEqual({ ...token, query: expect.any(String) })
  })

  it('is undefined without a header, and without a value of a RowKey or table name', () => {
    expect(readContinuation({}, query)).toBeUndefined()
    expect(readContinuation({ [ROW]: '' }, query)).toBeUndefined()
    expect(readContinuation({ 'x-ms-continuation-nexttablename': '' }, {})).toBeUndefined()
  })

  it.each([
    ['', 'cg=='],
    ['', ''],
    ['cA==', ''],
  ])('sends the keys %j and %j back as they came, but no empty NextRowKey', (partition, rowKey) => {
    const found = readContinuation({ [PARTITION]: partition, [ROW]: rowKey }, query)
    const again = parseContinuationToken(printContinuationToken(found!))
    expect(again).toStrictEqual(found)
    const sent = queryEntities.toRequest({ ...query, continuation: again }, contoso)
    const parameters = new URLSearchParams(sent.query)
    expect(parameters.get('NextPartitionKey')).toBe(partition)
    expect(parameters.get('NextRowKey')).toBe(rowKey === '' ? null : rowKey)
  })
})

describe('checkContinuation', () => {
  it.each([
    ['the query that it came with', query],
    ['the same query with another page size', { ...query, top: 7 }],
  ])('lets a token continue %s', (_, same) => {
    expect(() => checkContinuation({ ...same, continuation })).not.toThrow()
  })

  it('lets a token pass that says nothing of its query', () => {
    const byHand = { nextPartitionKey: '1!8!U21pdGg-' }
    expect(() => checkContinuation({ ...query, continuation: byHand })).not.toThrow()
  })

  it.each([
    ['another table', { ...query, table: 'orders' }],
    ['another filter', { ...query, filter: "PartitionKey ge 'Smyth'" }],
    ['no filter', { ...query, filter: undefined }],
    ['another select', { ...query, select: ['RowKey', 'age'] }],
  ])('rejects a token for %s, before anything is sent', async (_, other) => {
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
    null as never,
  ])('rejects %j for a query of entities', (wrong) => {
    expect(() => queryEntities.toRequest({ ...query, continuation: wrong }, contoso)).toThrow(
      expect.objectContaining({
        code: 'InvalidContinuationToken',
        message: expect.stringContaining('is incomplete'),
      }),
    )
  })

  it.each([{}, { nextPartitionKey: 'p' }, { nextRowKey: 'r' }, null as never])(
    'rejects %j for a list of tables',
    (wrong) => {
      expect(() => queryTables.toRequest({ continuation: wrong }, contoso)).toThrow(
        expect.objectContaining({
          code: 'InvalidContinuationToken',
          message: expect.stringContaining('is incomplete'),
        }),
      )
    },
  )

  it('rejects a token of entities for a list of tables, and the other way round', () => {
    expect(() => queryTables.toRequest({ continuation }, contoso)).toThrow('another query')
    const ofTables = readContinuation({ 'x-ms-continuation-nexttablename': 't' }, {})
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
  ])('R-32: recognizes the query of a token that was text, with %s', (_, found) => {
    const token = readContinuation(found, query)
    const again = parseContinuationToken(printContinuationToken(token!))
    expect(again).toStrictEqual(token)
    expect(() => checkContinuation({ ...query, continuation: again })).not.toThrow()
    expect(() => checkContinuation({ ...query, table: 'orders', continuation: again })).toThrow(
      'another query',
    )
  })
})

describe('locationOf', () => {
  it('R-117: binds a continued query to where it began, and no other', () => {
    expect(locationOf({})).toBeUndefined()
    expect(locationOf({ continuation: { nextPartitionKey: 'a' } })).toBe('primary')
    expect(locationOf({ continuation: { location: 'secondary' } })).toBe('secondary')
  })

  it('is asked for entities and for tables', () => {
    expect(queryEntities.locationOf).toBe(locationOf)
    expect(queryTables.locationOf).toBe(locationOf)
  })
})
