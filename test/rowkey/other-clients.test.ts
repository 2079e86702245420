import { localTableService } from '@rowkey/local'
import {
  type Account,
  type CallOptions,
  connect,
  continuationTokenPattern,
  DynamicEntity,
  defineEntity,
  Entity,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  eq,
  ge,
  gt,
  Json,
  key,
  le,
  lt,
  ne,
  noRetry,
  Operation,
  OperationContext,
  PartitionKey,
  Property,
  RowKey,
  SasProviderCredential,
  ServiceError,
  type Transport,
} from 'rowkey'
import { signingKeys } from 'rowkey/encryption'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

let account: Account
let transport: Transport
let connectionString: string

beforeEach(() => {
  const service = localTableService()
  transport = service.transport
  connectionString = service.connectionString()
  account = connect(connectionString, { transport })
})

afterEach(() => account.close())

describe('one class for each configuration', () => {
  abstract class Bookmark {
    static readonly kind: string = 'bookmark'
    @PartitionKey() owner = ''
    @RowKey() id = ''
    @Property('String') path?: string
    abstract url(): string
    static of<Made extends Bookmark>(this: new () => Made, values: Partial<Made>): Made {
      return Object.assign(new this(), values)
    }
  }

  /** What the methods need, and no entity stores, is given to the class. */
  function bookmarksOf(site: string) {
    @Entity('bookmarks')
    class SiteBookmark extends Bookmark {
      url() {
        return site + (this.path ?? '')
      }
    }
    return SiteBookmark
  }

  it('R-122, R-130: has own and inherited methods that use its configuration', async () => {
    const Bookmarks = bookmarksOf('https://a.example/')
    const table = account.table(Bookmarks)
    await table.create()
    await table.insert(Bookmarks.of({ owner: 'jeff', id: '1', path: 'x' }))
    const read = await table.get(['jeff', '1'])
    expect(read).toBeInstanceOf(Bookmarks)
    expect(read.url()).toBe('https://a.example/x')
    expect(Bookmarks.kind).toBe('bookmark')
    const stored = await account.table('bookmarks').get(['jeff', '1'])
    expect([...stored.properties.keys()]).toEqual(['path'])
  })

  it('R-133: several classes of one base keep their own configuration', async () => {
    const [A, B] = [bookmarksOf('https://a.example/'), bookmarksOf('https://b.example/')]
    await account.createTable('bookmarks')
    await account.table(A).insert(A.of({ owner: 'jeff', id: '1', path: 'x' }))
    expect((await account.table(A).get(['jeff', '1'])).url()).toBe('https://a.example/x')
    expect((await account.table(B).get(['jeff', '1'])).url()).toBe('https://b.example/x')
    expect((await account.table(A, 'bookmarks').get(['jeff', '1'])).url()).toBe(
      'https://a.example/x',
    )
  })

  it('R-130: creates its instances with create when the constructor has parameters', async () => {
    @Entity({ name: 'notes', create: () => new Note('https://a.example/') })
    class Note {
      readonly #site: string
      @PartitionKey() owner = ''
      @RowKey() id = ''
      constructor(site: string) {
        this.#site = site
      }
      url() {
        return this.#site + this.id
      }
    }
    const notes = account.table(Note)
    await notes.create()
    await notes.insert(Object.assign(new Note(''), { owner: 'jeff', id: '7' }))
    expect((await notes.get(['jeff', '7'])).url()).toBe('https://a.example/7')
  })
})

describe('a class of key and value', () => {
  const signing = signingKeys({ current: 's1', keys: { s1: new Uint8Array(32).fill(7) } })
  const keys = { partitionKey: key`${'key'}`, rowKey: key`kv-pair` }

  @Entity({ name: 'pairs', ...keys, signing })
  class Pair {
    key = ''
    @Json() value: { written?: string } = {}
  }

  @Entity({
    name: 'pairs',
    ...keys,
    signing,
    version: 2,
    previous: Pair,
    create: () => new DatedPair(new Date(0)),
    migrate: (earlier: Pair) =>
      Object.assign(new DatedPair(new Date(earlier.value.written ?? 0)), { key: earlier.key }),
  })
  class DatedPair {
    key = ''
    @Property('DateTime') written: Date
    constructor(written: Date) {
      this.written = written
    }
  }

  it('R-123: declares keys, signing, version, creation and migration', async () => {
    const table = account.table(DatedPair)
    await table.create()
    const written = '2012-11-10T00:00:00.000Z'
    await account.table(Pair).insert(Object.assign(new Pair(), { key: 'a', value: { written } }))
    const pair = await table.get({ key: 'a' })
    expect(pair).toBeInstanceOf(DatedPair)
    expect(pair.written.getTime()).toBe(Date.parse(written))
    await table.replace(pair)
    const rows = account.table('pairs')
    const row = await rows.get(['a', 'kv-pair'])
    expect(row.get('Version')?.value).toBe(2)
    row.set('written', new Date(1))
    await rows.replace(row)
    await expect(table.get({ key: 'a' })).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'SignatureInvalid' }),
    )
  })

  it('R-11: stores a value of many parts in one property, as JSON', async () => {
    const pairs = account.table(Pair)
    await pairs.create()
    await pairs.insert(Object.assign(new Pair(), { key: 'a', value: { written: 'today' } }))
    const row = await account.table('pairs').get(['a', 'kv-pair'])
    expect(row.get('value')?.value).toBe('{"written":"today"}')
    expect((await pairs.get({ key: 'a' })).value).toEqual({ written: 'today' })
  })
})

describe('scans and queries', () => {
  const Visit = defineEntity({
    name: 'visits',
    partitionKey: key`${'site'};${'page'}`,
    rowKey: key`${'visitor'}`,
    schema: z.object({
      site: z.string(),
      page: z.string(),
      visitor: z.string(),
      seconds: z.int(),
    }),
  })
  const names = ['ann', 'bob', 'cyd', 'dan', 'eve']

  beforeEach(async () => {
    await account.createTable('visits')
    for (const [seconds, visitor] of names.entries()) {
      await table().insert({ site: 'a', page: 'x', visitor, seconds })
    }
  })
  const table = () => account.table(Visit)

  it('R-140: return a list and a continuation token, or pass every row to a handler', async () => {
    const query = table().query().where({ site: 'a', page: 'x' }).pageSize(2)
    const { value: page } = await query.byPage().next()
    expect(page?.items.map(({ visitor }) => visitor)).toEqual(['ann', 'bob'])
    const continuationToken = page?.continuationToken
    expect(continuationToken).toMatch(continuationTokenPattern)
    const { value: next } = await query.byPage({ continuationToken }).next()
    expect(next?.items.map(({ visitor }) => visitor)).toEqual(['cyd', 'dan'])
    const seen: string[] = []
    await query.forEach(
      async ({ visitor }) => {
        seen.push(visitor)
      },
      { concurrency: 2 },
    )
    expect(seen).toEqual(names)
  })

  it('R-142: compare in six ways; a bare value means equal', async () => {
    const found = async (seconds: number | ReturnType<typeof gt<number>>) => {
      const query = table().query().where({ site: 'a', page: 'x', seconds })
      return (await query.toArray()).map(({ visitor }) => visitor).join()
    }
    expect(await found(2)).toBe('cyd')
    expect(await found(eq(2))).toBe('cyd')
    expect(await found(ne(2))).toBe('ann,bob,dan,eve')
    expect(await found(lt(2))).toBe('ann,bob')
    expect(await found(le(2))).toBe('ann,bob,cyd')
    expect(await found(gt(2))).toBe('dan,eve')
    expect(await found(ge(2))).toBe('cyd,dan,eve')
  })

  it('R-143: are rejected on request unless their conditions form a whole key', async () => {
    const strict = account.table(Visit, { scans: 'none' }).query()
    await expect(strict.where({ site: 'a' }).toArray()).rejects.toMatchObject({ code: 'TableScan' })
    const partition = strict.where({ site: 'a', page: 'x' })
    await expect(partition.toArray()).rejects.toMatchObject({ code: 'PartitionScan' })
    expect(await partition.where({ visitor: 'bob' }).toArray()).toHaveLength(1)
  })

  it('R-145: read a whole table only on request', async () => {
    const query = table()
      .query()
      .where({ seconds: gt(2) })
    await expect(query.toArray()).rejects.toMatchObject({ code: 'TableScan' })
    expect(await query.allowTableScan().toArray()).toHaveLength(2)
  })

  it('R-135: insert a row, or overwrite the existing one', async () => {
    const ann = { site: 'a', page: 'x', visitor: 'ann', seconds: 9 }
    await expect(table().insert(ann)).rejects.toThrow(EntityAlreadyExistsError)
    await table().insertOrReplace(ann)
    expect(await table().get(ann)).toMatchObject({ seconds: 9 })
    await expect(table().get({ ...ann, visitor: 'zoe' })).rejects.toThrow(EntityNotFoundError)
  })
})

describe('a table', () => {
  it('R-88: executes an operation, several in one transaction, a query with a resolver, and one page of it', async () => {
    const people = account.table('people')
    await people.create()
    const row = (name: string) => new DynamicEntity('Smith', name, { age: 5 })
    await people.execute(Operation.insert(row('Ann')))
    await people.execute([Operation.insert(row('Ben')), Operation.insert(row('Cyd'))])
    const smiths = people.query().where({ partitionKey: 'Smith' })
    const labels = smiths.resolve(
      (_, name, _at, properties) => `${name} ${properties.get('age')?.value}`,
    )
    expect(await labels.toArray()).toEqual(['Ann 5', 'Ben 5', 'Cyd 5'])
    const { value: page } = await labels.pageSize(2).byPage().next()
    expect(page?.items).toEqual(['Ann 5', 'Ben 5'])
  })

  it('R-90: returns HTTP status, ETag and entity of an operation, also of each in a batch', async () => {
    const people = account.table('people')
    await people.create()
    const context = new OperationContext()
    const ann = new DynamicEntity('Smith', 'Ann')
    const { etag, entity, status } = await people.execute(Operation.insert(ann), { context })
    expect([entity, etag, status]).toEqual([ann, ann.etag, 204])
    expect(context.lastAttempt).toMatchObject({ status: 204, etag })
    const missing = await people.execute(Operation.retrieve(['Smith', 'Zoe']))
    expect([missing.entity, missing.status]).toEqual([undefined, 404])
    expect((await people.execute(Operation.merge(ann))).status).toBeUndefined()
    const ben = new DynamicEntity('Smith', 'Ben')
    const inBatch = await people.execute([Operation.insert(ben), Operation.delete(ann)])
    expect(inBatch.map((result) => result.status)).toEqual([204, 204])
    const [read] = await people.batch().retrieve(['Smith', 'Ben']).submit()
    expect([read?.entity?.rowKey, read?.status]).toEqual(['Ben', 200])
  })
})

describe('a client without the account key', () => {
  @Entity('people')
  class Person {
    @PartitionKey() lastName = ''
    @RowKey() firstName = ''
  }

  it('R-131, R-134: gets its token from a function, and learns that only the owner creates tables', async () => {
    const people = account.table(Person)
    expect([await people.createIfNotExists(), await people.createIfNotExists()]).toEqual([
      true,
      false,
    ])
    const scopes: string[] = []
    const guest = connect({
      endpoint: /TableEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? '',
      transport,
      credential: new SasProviderCredential({
        provide: async () => {
          scopes.push('people')
          const expiry = new Date(Date.now() + 3_600_000)
          return people.sas({ permissions: 'raud', expiry }).token
        },
      }),
    })
    const ann = Object.assign(new Person(), { lastName: 'Smith', firstName: 'Ann' })
    await guest.table(Person).insert(ann)
    expect(await guest.table(Person).get(['Smith', 'Ann'])).toEqual(ann)
    expect(scopes).toEqual(['people'])
    await expect(guest.table(Person).createIfNotExists()).rejects.toThrow(
      expect.objectContaining({ code: 'OutsideSasScope' }),
    )
    expect([await people.dropIfExists(), await people.dropIfExists()]).toEqual([true, false])
  })

  it("R-89: accepts call options that override the account's, one object for many calls", async () => {
    const timeouts: (number | undefined)[] = []
    const busy: Transport = async (_request, limits) => {
      timeouts.push(limits?.timeout)
      return { status: 503, headers: {}, body: '' }
    }
    const slow = connect(connectionString, { transport: busy, timeout: 70, retry: noRetry })
    const patient: CallOptions = {
      timeout: 50,
      retry: { delayAfter: ({ number }) => (number < 3 ? 0 : undefined) },
    }
    const people = slow.table(Person)
    for (const options of [{}, patient, {}, patient]) {
      await expect(people.get(['a', 'b'], options)).rejects.toThrow(ServiceError)
    }
    expect(timeouts).toEqual([70, 50, 50, 50, 70, 50, 50, 50])
    await slow.close()
  })
})
