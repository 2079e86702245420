import { localTableService } from '@rowkey/local'
import { DateTimeValue } from '@rowkey/odata'
import {
  queryEntities as askEntities,
  createTable,
  type Flavour,
  insertEntity,
  perform,
  tableService,
} from '@rowkey/rest'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { queryEntities } from '../../../packages/local/src/operations/query-entities.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { textOf } from '../../../packages/local/src/response/service-response.ts'
import { createService } from '../../../packages/local/src/service/create-service.ts'
import type { Service } from '../../../packages/local/src/service/service.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { Conversation, codeOf, rejectionOf } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'
import { place } from '../../support/local-place.ts'
import { storedRow } from '../../support/stored-row.ts'

interface Page {
  readonly keys: readonly string[]
  /** The query parameters of the next page; empty after the last page. */
  readonly next: string
}

describe('queryEntities', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  const insert = (PartitionKey: string, RowKey: string, more: object = {}) =>
    service.send('POST', '/people', { body: { PartitionKey, RowKey, ...more } })

  const ask = (query: string) => service.send('GET', `/people()?${query}`)

  const page = async (query: string): Promise<Page> => {
    const { body, headers } = await ask(query)
    const rows = (JSON.parse(body) as { value: Record<string, string>[] }).value
    const partition = headers['x-ms-continuation-nextpartitionkey']
    const row = headers['x-ms-continuation-nextrowkey']
    return {
      keys: rows.map((entity) => `${entity.PartitionKey}/${entity.RowKey}`),
      next:
        partition === undefined
          ? ''
          : `NextPartitionKey=${encodeURIComponent(partition)}&NextRowKey=${encodeURIComponent(row ?? '')}`,
    }
  }

  const matching = async (filter: string) =>
    (await page(`$filter=${encodeURIComponent(filter)}`)).keys

  it('R-13: orders rows by PartitionKey, then RowKey, both ordinal', async () => {
    for (const [partition, row] of [
      ['b', '1'],
      ['a', '10'],
      ['a', '9'],
      ['B', '1'],
      ['a b', '1'],
      ['', ''],
    ] as const) {
      await insert(partition, row)
    }
    expect((await page('')).keys).toEqual(['/', 'B/1', 'a/10', 'a/9', 'a b/1', 'b/1'])
  })

  it('filters by every type', async () => {
    await insert('Smith', 'Jeff', {
      age: 41,
      'points@odata.type': 'Edm.Int64',
      points: '5000000000',
      rating: 4.5,
      active: true,
      'since@odata.type': 'Edm.DateTime',
      since: '2014-08-22T00:50:30.1234567Z',
      'card@odata.type': 'Edm.Guid',
      card: 'c9da6455-213d-42c9-9a79-3e9149a57833',
      'print@odata.type': 'Edm.Binary',
      print: 'CgsM',
      email: "o'brien@contoso.com",
    })
    await insert('Smith', 'Ben', { age: 20, active: false })
    const jeff = ['Smith/Jeff']
    expect(await matching('age gt 40')).toEqual(jeff)
    expect(await matching('points eq 5000000000L')).toEqual(jeff)
    expect(await matching('rating le 4.5')).toEqual(jeff)
    expect(await matching('active')).toEqual(jeff)
    expect(await matching("since eq datetime'2014-08-22T00:50:30.1234567Z'")).toEqual(jeff)
    expect(await matching("since eq datetime'2014-08-22T00:50:30.123Z'")).toEqual([])
    expect(await matching("card eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'")).toEqual(jeff)
    expect(await matching("print ge X'0a0b'")).toEqual(jeff)
    expect(await matching("email eq 'o''brien@contoso.com'")).toEqual(jeff)
    expect(await matching("Timestamp ge datetime'2026-11-20T12:00:00Z'")).toHaveLength(2)
    expect(await matching('not (rating gt 1.0)')).toEqual(['Smith/Ben'])
    expect(await matching('rating ne 1.0')).toEqual(jeff)
  })

  it('returns all rows of one partition and of no neighbour, on each page', async () => {
    const neighbours = ['', ' ', 'A', 'a', 'a ', 'a!', 'aa', 'a\u00ad', 'b', '\uffee']
    for (const partition of neighbours)
      for (const row of ['', '1', 'z']) await insert(partition, row)
    for (const partition of neighbours) {
      const filter = `$top=2&$filter=${encodeURIComponent(`PartitionKey eq '${partition}'`)}`
      const first = await page(filter)
      const rest = await page(`${filter}&${first.next}`)
      const keys = ['', '1', 'z'].map((row) => `${partition}/${row}`)
      expect([...first.keys, ...rest.keys]).toEqual(keys)
      expect(rest.next).toBe('')
    }
    expect(await matching("PartitionKey eq 'a\u0000'")).toEqual([])
  })

  it('returns a list for a filter on both keys', async () => {
    await insert('Smith', 'Jeff')
    expect(await matching("PartitionKey eq 'Smith' and RowKey eq 'Jeff'")).toEqual(['Smith/Jeff'])
    expect(await matching("PartitionKey eq 'Smith' and RowKey eq 'Ben'")).toEqual([])
  })

  it('ignores a blank filter and an empty selection', async () => {
    await insert('Smith', 'Jeff')
    expect((await page('$filter=%20&$select=')).keys).toEqual(['Smith/Jeff'])
    expect((await page('$select=*')).keys).toEqual(['Smith/Jeff'])
  })

  it('R-32: ends a page at 1,000 rows and continues there', async () => {
    for (let row = 0; row < 1001; row += 1) await insert('p', String(row).padStart(4, '0'))
    const first = await page('')
    expect(first.keys).toHaveLength(1000)
    const second = await page(first.next)
    expect(second).toEqual({ keys: ['p/1000'], next: '' })
  })

  it.each(['/people', '/people()', '/people(%20)'])('reads the rows at %s', async (path) => {
    for (const row of ['a', 'b']) await insert('p', row)
    const response = await service.send('GET', `${path}?$top=1`)
    expect(JSON.parse(response.body).value).toMatchObject([{ PartitionKey: 'p', RowKey: 'a' }])
    expect(response.headers['x-ms-continuation-nextrowkey']).toBeDefined()
  })

  it('returns an empty last page for $top=0', async () => {
    for (const row of ['a', 'b']) await insert('p', row)
    expect(await page('$top=0')).toEqual({ keys: [], next: '' })
  })

  it('R-32: limits the page by $top, not the whole result', async () => {
    for (const row of ['a', 'b', 'c']) await insert('p', row)
    const first = await page('$top=2')
    expect(first.keys).toEqual(['p/a', 'p/b'])
    expect(await page(`$top=2&${first.next}`)).toEqual({ keys: ['p/c'], next: '' })
  })

  longTest('R-32: ends a page of large rows before it is too large to write', async () => {
    const large = 'x'.repeat(32_000)
    const row = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`p${at}`, large]))
    for (let at = 10; at < 90; at++) await insert('a', String(at), row)
    const first = await page('')
    expect(first.keys.length).toBe(35)
    const second = await page(first.next)
    const third = await page(second.next)
    expect(third.next).toBe('')
    const keys = [...first.keys, ...second.keys, ...third.keys]
    expect(keys).toEqual(Array.from({ length: 80 }, (_, at) => `a/${at + 10}`))
  })

  it('R-32: continues after the row of a token was deleted', async () => {
    for (const row of ['a', 'b', 'c']) await insert('p', row)
    const { next } = await page('$top=1')
    const headers = { 'if-match': '*' }
    await service.send('DELETE', "/people(PartitionKey='p',RowKey='b')", { headers })
    expect((await page(next)).keys).toEqual(['p/c'])
  })

  it('R-32: continues at the beginning of a partition when a token has no row', async () => {
    for (const partition of ['a', 'b', 'c']) await insert(partition, 'r')
    expect((await page(`NextPartitionKey=${encodeURIComponent('1!4!Yg--')}`)).keys).toEqual([
      'b/r',
      'c/r',
    ])
  })

  it('R-32: returns every row once, for any keys and page sizes', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 8 })
    const key = text.map((given) => given.replace(/[\p{Cc}\p{Cs}/\\#?]/gu, '-'))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(key, key), {
          minLength: 1,
          maxLength: 12,
          selector: ([partition, row]) => `${partition}/${row}`,
        }),
        fc.integer({ min: 1, max: 5 }),
        async (keys, top) => {
          service = await Conversation.withTable('people')
          for (const [partition, row] of keys) await insert(partition, row)
          const seen: string[] = []
          let next = ''
          do {
            const found = await page(`$top=${top}&${next}`)
            seen.push(...found.keys)
            next = found.next
          } while (next !== '')
          expect(seen.toSorted()).toEqual(keys.map(([p, r]) => `${p}/${r}`).toSorted())
        },
      ),
      { numRuns: 50 },
    )
  })

  it('names the place of a syntax error, in the words of the service', async () => {
    expect(rejectionOf(await ask('$filter=aaa%20bbb%20ccc'))).toEqual([
      400,
      'InvalidInput',
      "Syntax error at position 7 in 'aaa bbb ccc'.",
    ])
  })

  it.each([
    'PartitionKey eq 5',
    "Timestamp eq 'today'",
    'RowKey',
    'a eq null',
    "a eq 'open",
    'a eq',
    '(a eq 1',
    'nofunction(a)',
  ])('rejects the filter %s', async (filter) => {
    const response = await ask(`$filter=${encodeURIComponent(filter)}`)
    expect(codeOf(response)).toEqual([400, 'InvalidInput'])
  })

  it('rejects the functions of OData', async () => {
    const filter = encodeURIComponent("startswith(a,'b')")
    expect(codeOf(await ask(`$filter=${filter}`))).toEqual([501, 'NotImplemented'])
  })

  it('names the types that an operator does not accept, in the words of the service', async () => {
    const filter = encodeURIComponent("'a' and true")
    expect(rejectionOf(await ask(`$filter=${filter}`))).toEqual([
      400,
      'InvalidInput',
      "A binary operator with incompatible types was detected. Found operand types 'Edm.String' and 'Edm.Boolean' for operator kind 'And'.",
    ])
  })

  it.each(['(', 'not ', '-', "'"])('rejects %s nested twenty thousand times', async (piece) => {
    const response = await ask(`$filter=${encodeURIComponent(piece.repeat(20_000))}`)
    expect(codeOf(response)).toEqual([400, 'InvalidInput'])
  })

  it.each([
    '$top=-1',
    '$top=1001',
    '$top=ten',
    '$top=',
    '$select=a,,b',
    'NextRowKey=1!4!Yg--',
    'NextPartitionKey=1!4!Yg--&NextRowKey=',
    'NextPartitionKey=nonsense',
    'NextPartitionKey=1!5!Yg--',
    '$foo=1',
  ])('rejects %s', async (query) => {
    expect(codeOf(await ask(query))).toEqual([400, 'InvalidInput'])
  })

  it.each(['$orderby=age', '$skip=5', '$inlinecount=allpages', '$expand=x'])(
    'rejects %s as not implemented',
    async (query) => {
      expect(codeOf(await ask(query))).toEqual([501, 'NotImplemented'])
    },
  )

  it('responds TableNotFound for a missing table', async () => {
    expect(codeOf(await service.send('GET', '/other()'))).toEqual([404, 'TableNotFound'])
  })
})

it('queryEntities finds no table that was dropped while it waited for its turn', async () => {
  const service = createService({ data: await temporaryFolder() })
  const { store } = service
  const key = { partitionKey: 'p', rowKey: 'a' }
  await store.createTable(place.account, 'people')
  const table = await store.findTable(place.account, 'people')
  await table?.change([key], () => [storedRow(key, new DateTimeValue(0), new Map())])
  const turn = async () => {
    await store.dropTable(place.account, 'people')
    // The rows are removed after the table.
    await vi.waitUntil(async () => (await table?.get(key)) === undefined)
  }
  const request = readRequest(
    { ...place, client: { turn } },
    {
      method: 'GET',
      resourcePath: '/people()',
      query: '',
      headers: { accept: 'application/json' },
      body: '',
    },
  )
  await expect(queryEntities(service, request)).rejects.toMatchObject({ code: 'TableNotFound' })
  await store.close()
})

describe('a page of much work', () => {
  /** A service with 3,000 rows, and a request for those that one of 100 conditions finds: none. */
  const muchWork = async (
    rest: (service: Service) => Promise<void>,
    flavour: Flavour,
    data?: string,
  ) => {
    let now = Date.UTC(2026, 0, 1)
    const service = createService({ now: () => now, flavour, data })
    const { store } = service
    await store.createTable(place.account, 'people')
    const table = await store.findTable(place.account, 'people')
    const keys = Array.from({ length: 3_000 }, (_, at) => ({
      partitionKey: 'p',
      rowKey: String(at).padStart(4, '0'),
    }))
    for (let first = 0; first < keys.length; first += 100) {
      const some = keys.slice(first, first + 100)
      await table?.change(some, () =>
        some.map((key) => storedRow(key, new DateTimeValue(0), new Map())),
      )
    }
    const filter = Array.from({ length: 100 }, (_, at) => `a eq ${at}`).join(' or ')
    const ask = async (more = '', condition = filter) => {
      const request = readRequest(
        { ...place, flavour, client: { rest: () => rest(service) } },
        {
          method: 'GET',
          resourcePath: '/people()',
          query: `$filter=${encodeURIComponent(condition)}${more}`,
          headers: { accept: 'application/json' },
          body: '',
        },
      )
      const { body, headers } = await queryEntities(service, request)
      const found: { RowKey: string }[] = JSON.parse(textOf(body)).value
      const token = ['partition', 'row'].map((half) => headers[`x-ms-continuation-next${half}key`])
      return { rows: found.map(({ RowKey }) => RowKey), token }
    }
    const pass = (time: number) => {
      now += time
    }
    return { ask, pass, service }
  }

  it.each(['storage', 'cosmos'] as const)('lets others run in turns, on %s', async (flavour) => {
    let rests = 0
    const { ask } = await muchWork(async () => {
      rests++
    }, flavour)
    expect(await ask()).toEqual({ rows: [], token: [undefined, undefined] })
    expect(rests).toBeGreaterThan(10)
  })

  it.each(['storage', 'cosmos'] as const)(
    'ends after 5 seconds with a token, and the next page goes on, on %s',
    async (flavour) => {
      let pass = (_: number): void => {}
      const work = await muchWork(async () => pass(1_000), flavour)
      pass = work.pass
      const condition = `${Array.from({ length: 100 }, (_, at) => `a eq ${at}`).join(' or ')} or RowKey gt '0'`
      const rows: string[] = []
      let pages = 0
      let more = '&$top=1000'
      do {
        const { rows: found, token } = await work.ask(more, condition)
        rows.push(...found)
        pages++
        const [partition = '', row = ''] = token.map((part) => part && encodeURIComponent(part))
        more =
          partition === ''
            ? ''
            : `&$top=1000&NextPartitionKey=${partition}${row === 'NA' ? '' : `&NextRowKey=${row}`}`
      } while (more !== '')
      expect(pages).toBeGreaterThan(2)
      expect(new Set(rows).size).toBe(3_000)
      expect(rows).toHaveLength(3_000)
    },
  )

  it.each(['in memory', 'in a folder'])(
    'reads one state of a table %s, whatever is written in the meantime',
    async (where) => {
      const folder = where === 'in a folder' ? await temporaryFolder() : undefined
      let rests = 0
      const rest = async ({ store }: Service) => {
        const table = await store.findTable(place.account, 'people')
        const rowKeys = rests++ === 0 ? ['0000a', '2999', '5000'] : ['2998']
        const keys = rowKeys.map((rowKey) => ({ partitionKey: 'p', rowKey }))
        await table?.change(keys, (rows) =>
          keys.map((key, at) =>
            rows[at] === undefined ? storedRow(key, new DateTimeValue(0), new Map()) : undefined,
          ),
        )
        if (rests === 3) await store.dropTable(place.account, 'people')
      }
      const { ask, service } = await muchWork(rest, 'storage', folder)
      const filter = `${Array.from({ length: 100 }, (_, at) => `a eq ${at}`).join(' or ')} or RowKey gt '2989'`
      const { rows } = await ask('', filter)
      expect(rests).toBeGreaterThan(3)
      expect(rows).toEqual(Array.from({ length: 10 }, (_, at) => String(2_990 + at)))
      await service.store.close()
    },
  )

  it('does not hold up the health path', async () => {
    const local = localTableService()
    const { port, connectionString } = await local.listen({ port: 0 })
    const own = { connectionString: local.connectionString(), transport: local.transport }
    const inside = tableService(own)
    await perform(inside, createTable, { table: 'people' })
    for (let at = 0; at < 2_000; at++) {
      const key = { partitionKey: 'p', rowKey: `${at}` }
      const body = JSON.stringify({ PartitionKey: 'p', RowKey: `${at}`, a: at })
      await perform(inside, insertEntity, { table: 'people', key, body })
    }
    local.requests.clear()
    const filter = Array.from({ length: 2_500 }, (_, at) => `a eq ${-at - 1}`).join(' or ')
    const events: string[] = []
    const page = perform(tableService({ connectionString }), askEntities, {
      table: 'people',
      filter,
    }).then(({ entities }) => events.push(`${entities.length} rows`))
    await vi.waitUntil(() => local.requests.count > 0)
    for (let at = 0; at < 3; at++) {
      events.push(await (await fetch(`http://127.0.0.1:${port}/_health`)).text())
    }
    await page
    expect(events).toEqual(['ok', 'ok', 'ok', '0 rows'])
    await local.close()
  })
})
