import { localTableService } from '@rowkey/local'
import {
  Account,
  defineEntity,
  key,
  lifetime,
  lifetimeOf,
  Operation,
  type Table,
  type TableQuery,
  union,
  upgradeTable,
} from '@rowkey/mapper'
import { DynamicEntity, isRowkeyError } from '@rowkey/odata'
import {
  chunkStore,
  declareCopies,
  declareIndexes,
  declareLargeValues,
  declareOutbox,
  declareSummaries,
  type LargeValueTable,
} from '@rowkey/patterns'
import { anyOf } from '@rowkey/query'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { randomOf } from './employees.ts'
import type { RaceResult } from './indexes/index-races.ts'

/** A row of any tenant. */
interface Note {
  tenant: string
  region: string
  no: number
  tag?: string | undefined
  code?: string | undefined
  size: number
  ends?: Date | undefined
  image?: string | undefined
}

/** The indexes and the sums of one tenant, as a program in JavaScript has them. */
interface OwnReads {
  readonly indexes: {
    find(index: string, values: object): unknown
    query(index: string, where: object): TableQuery<object>
    copies(index: string): Promise<TableQuery<object>>
    refresh(values: object): unknown
  }
  readonly sums: {
    get(name: string, values: object): unknown
    query(name: string, values: object): AsyncIterable<unknown>
  }
}

type Notes = Table<Note, Note, Pick<Note, 'tenant' | 'region' | 'no'>>

const IMAGE = new Uint8Array([1, 2, 3])
const TENANTS = ['acme', 'acme2', 'acm', 'bolt']
const START = Date.UTC(2026, 10, 29)

/** A model with everything that writes keep. The tenant is the whole PartitionKey, or its first part. */
function defineNote(isWhole: boolean, isMortal: boolean) {
  const Model = defineEntity({
    name: 'notes',
    partitionKey: isWhole ? key`${'tenant'}` : key`${'tenant'};${'region'}`,
    rowKey: isWhole ? key`n_${'region'};${'no:2'}` : key`n_${'no:2'}`,
    schema: z.object({
      tenant: z.string(),
      region: z.string(),
      no: z.int(),
      tag: z.string().optional(),
      code: z.string().optional(),
      size: z.int(),
      ends: z.date().optional(),
      gone: z.date().optional(),
      image: z.string().optional(),
    }),
    ...(isMortal && { lifetime: lifetime({ expiresAt: 'ends', deletedAt: 'gone' }) }),
  })
  const Label = defineEntity({
    name: 'labels',
    partitionKey: key`${'tenant'}`,
    rowKey: key`l_${'no:2'}`,
    schema: z.object({ tenant: z.string(), no: z.int(), tag: z.string().optional() }),
  })
  const whole = key`${'tenant'}_${'region'}_${'no:2'}`
  const { worker, handle } = announcedTo()
  const own = isWhole ? key`${'tag'}_${'region'}_${'no:2'}` : key`${'tag'}_${'no:2'}`
  const indexes = declareIndexes(
    Model,
    {
      tag: { rowKey: own },
      code: { rowKey: key`${'code'}`, unique: true },
      everywhere: {
        partitionKey: key`t_${'tag'}`,
        rowKey: whole,
        project: isMortal ? ['ends', 'gone'] : [],
      },
      sizes: { partitionKey: key`${'size:3'}`, rowKey: whole, table: 'sizes' },
    },
    { worker },
  )
  const sums = declareSummaries(Model, { all: { rowKey: key`all`, sums: ['size'] } })
  declareOutbox(Model, { messages: ({ after }) => (after ? [after.no] : []), worker, handle })
  const images = declareLargeValues(Model, {
    property: 'image',
    store: (account) => chunkStore(account, { table: 'images' }),
  })
  declareCopies(Model, Label, {
    fields: { tag: 'tag' },
    source: ({ tenant, no }) => ({ tenant, region: 'eu', no }),
    holders: ({ tenant, no }) => [{ tenant, no }],
    worker,
  })
  return { Model, Label, images, indexes, sums }
}

/** What a call works with: a table that is restricted to one tenant, and what may name any of them. */
interface Given {
  /** As a program in JavaScript has it: nothing checks what it passes. */
  readonly acme: Notes
  readonly whole: Notes
  readonly both: Notes
  readonly own: OwnReads
  readonly images: LargeValueTable<Note, Note, object>
  readonly account: Account
  /** An entity of any tenant, or of none. */
  readonly entity: Note
  /** An entity that was read, of any tenant. */
  readonly stored: Note
  /** A PartitionKey and a RowKey of any tenant. */
  readonly pair: [string, string]
  /** The token of a query of the whole table, or of the tenant. */
  readonly token: string | undefined
  readonly options: object
  learn(token: string | undefined): void
}

type Call = (given: Given) => unknown

const edited = (row: Note): Note => Object.assign(row, { size: (row.size + 1) % 9 })
const moved = (row: Note, { tenant }: Note): Note => Object.assign(row, { tenant })
const scan = (table: Notes) => table.query().allowTableScan()

/** Every method of a table, and every pattern that follows from it. */
const CALLS: Readonly<Record<string, Call>> = {
  get: ({ acme, entity }) => acme.get(entity as never),
  'get by a key': ({ acme, pair }) => acme.get(pair),
  'get of a part': ({ acme, pair }) => acme.get(pair, { select: ['size'] }),
  'get by a resolver': ({ acme, entity }) =>
    acme.find(entity, { resolve: (partitionKey: string) => partitionKey }),
  find: ({ acme, stored }) => acme.find(stored),
  exists: ({ acme, pair }) => acme.exists(pair),
  'exists of the table': ({ acme }) => acme.exists(),
  getMany: ({ acme, entity, stored, pair }) => acme.getMany([entity, stored, pair]),
  insert: ({ acme, entity, options }) => acme.insert(entity, options),
  merge: ({ acme, entity, options }) => acme.merge(entity, { ...options, etag: '*' }),
  'merge of what was read': ({ acme, stored }) => acme.merge(edited(stored)),
  'merge of a changed tenant': ({ acme, entity, stored }) => acme.merge(moved(stored, entity)),
  'replace of a changed tenant': ({ acme, entity, stored }) => acme.replace(moved(stored, entity)),
  'delete of a changed tenant': ({ acme, entity, stored }) => acme.delete(moved(stored, entity)),
  'reload of a changed tenant': ({ acme, entity, stored }) => acme.reload(moved(stored, entity)),
  'bulk merge of a changed tenant': ({ acme, entity, stored }) =>
    acme.bulk().merge([moved(stored, entity)]),
  'merge of nothing': ({ acme, stored }) => acme.merge(stored),
  replace: ({ acme, stored, options }) => acme.replace(edited(stored), options),
  insertOrMerge: ({ acme, entity, options }) => acme.insertOrMerge(entity, options),
  insertOrReplace: ({ acme, entity, options }) => acme.insertOrReplace(entity, options),
  'insertOrReplace of what was read': ({ acme, stored }) => acme.insertOrReplace(edited(stored)),
  delete: ({ acme, entity, options }) => acme.delete(entity, { ...options, etag: '*' }),
  'delete by a key': ({ acme, pair }) => acme.delete(pair, { etag: '*' }),
  'delete of what was read': ({ acme, stored }) => acme.delete(stored),
  deleteIfExists: ({ acme, entity }) => acme.deleteIfExists(entity, { etag: '*' }),
  reload: ({ acme, stored }) => acme.reload(stored),
  modify: ({ acme, entity }) => acme.modify(entity, (row) => void edited(row)),
  'modify by a key': ({ acme, pair }) => acme.modify(pair, (row) => void edited(row)),
  'modify of the key': ({ acme, entity, stored }) =>
    acme.modify(entity, (row) => void Object.assign(row, { tenant: stored.tenant })),
  orInsert: ({ acme, entity, stored }) =>
    acme.modify(entity, (row) => void edited(row), { orInsert: stored }),
  batch: ({ acme, entity, stored, options }) =>
    acme.batch().insertOrMerge(entity).merge(edited(stored)).submit(options),
  'batch of deletes': ({ acme, stored, pair }) =>
    acme.batch().delete(stored).delete(pair, { etag: '*' }).submit(),
  'batch of a read': ({ acme, pair }) => acme.batch().retrieve(pair).submit(),
  'bulk insertOrReplace': ({ acme, entity, stored }) =>
    acme.bulk({ onConflict: 'skip' }).insertOrReplace([entity, stored]),
  'bulk merge': ({ acme, entity, stored }) => acme.bulk().merge([edited(stored), entity]),
  'bulk delete': ({ acme, stored, pair }) => acme.bulk().delete([stored, pair] as never),
  'bulk execute': ({ acme, entity, stored }) =>
    acme.bulk().execute([Operation.insert(entity), Operation.delete(stored)] as never),
  buffered: async ({ acme, entity, stored }) => {
    const writer = acme.buffered()
    try {
      await writer.insertOrMerge(entity)
      await writer.delete(stored)
    } finally {
      await writer.close()
    }
  },
  execute: ({ acme, entity }) => acme.execute(Operation.insertOrReplace(entity)),
  'execute of a delete': ({ acme, pair }) => acme.execute(Operation.delete(pair, { etag: '*' })),
  'execute of a read': ({ acme, pair }) => acme.execute(Operation.retrieve(...pair)),
  'execute of several': ({ acme, entity, stored }) =>
    acme.execute([Operation.insertOrMerge(entity), Operation.merge(edited(stored))]),
  query: ({ acme }) => scan(acme).toArray(),
  'query of a property': ({ acme, entity }) => scan(acme).where({ size: entity.size }).toArray(),
  'query of a tenant': ({ acme, entity, stored }) =>
    scan(acme)
      .where({ tenant: anyOf([entity.tenant, stored.tenant]) })
      .toArray(),
  'query or': ({ acme, stored }) =>
    scan(acme)
      .where((c) => c.tenant.eq(stored.tenant).or(c.size.ge(0)))
      .toArray(),
  'query not': ({ acme }) =>
    scan(acme)
      .where((c) => c.tenant.eq('acme').not())
      .toArray(),
  'query by an index': ({ acme, stored }) =>
    acme
      .query()
      .where({ region: stored.region, tag: stored.tag ?? 'x' })
      .toArray(),
  'query by a unique index': ({ acme, stored }) =>
    acme
      .query()
      .where({ region: stored.region, code: stored.code ?? 'c1' })
      .count(),
  'find of an index': ({ own, entity }) => own.indexes.find('code', entity),
  'query of an index': ({ own, entity }) =>
    own.indexes.query('tag', { region: entity.region, tag: 'x' }).toArray(),
  'query of an index of all tenants': ({ own, entity }) =>
    own.indexes.query('everywhere', { tag: entity.tag ?? 'x' }).toArray(),
  'query of an index in another table': ({ own, entity }) =>
    own.indexes.query('sizes', { size: entity.size }).count(),
  'query of an index of a tenant': ({ own, stored }) =>
    own.indexes.query('everywhere', { tag: 'x', tenant: stored.tenant }).toArray(),
  'page of an index': async ({ own, token, learn }) =>
    learn((await own.indexes.query('everywhere', { tag: 'x' }).page({ size: 1, token })).next),
  'deleteAll by an index': ({ own, entity }) =>
    own.indexes.query('everywhere', { tag: 'y', size: entity.size } as object).deleteAll(),
  copies: async ({ own }) =>
    (await own.indexes.copies('everywhere')).where({ tag: 'x' } as never).toArray(),
  'copies of all': async ({ own }) =>
    (await own.indexes.copies('everywhere')).allowTableScan().toArray(),
  refresh: ({ own, entity }) => own.indexes.refresh(entity),
  'refresh of what was read': ({ own, stored }) => own.indexes.refresh(stored),
  sum: ({ own, entity }) => own.sums.get('all', entity),
  'sum of a group': ({ own, stored }) => own.sums.get('all', stored),
  'stage of an image': ({ images, entity }) => images.stage(entity, IMAGE),
  'insert of an image': async ({ images, acme, entity }) => {
    await images.stage(entity, IMAGE)
    await acme.insertOrReplace(entity)
  },
  'save of an image': ({ images, stored }) => images.save(stored, IMAGE),
  'load of an image': ({ images, stored }) => images.load(stored),
  'load of the image of another row': ({ images, entity, stored }) =>
    images.load(Object.assign(entity, { image: stored.image })),
  'sweep of images': ({ images }) => images.sweep({ olderThan: 0 }),
  sums: async ({ own, entity }) => {
    for await (const group of own.sums.query('all', entity)) if (!group) return
  },
  'query of points': ({ acme, stored }) =>
    scan(acme)
      .where({ tenant: stored.tenant, region: 'eu', no: anyOf([1, 2, 3]) })
      .toArray(),
  'query of a part': ({ acme }) => scan(acme).select('size').toArray(),
  'query by a resolver': ({ acme }) =>
    scan(acme)
      .resolve((partitionKey) => partitionKey)
      .toArray(),
  'query of some rows': ({ acme, stored }) =>
    scan(acme)
      .filterLocally(({ size }) => size === stored.size)
      .take(2)
      .toArray(),
  inPartitions: ({ acme, pair }) =>
    scan(acme).inPartitions([pair[0], 'acme', 'acme;eu', 'bolt;eu']).toArray(),
  parallel: ({ acme, stored }) =>
    scan(acme)
      .parallel([
        (c: never) => (c as { tenant: { eq(text: string): never } }).tenant.eq(stored.tenant),
      ] as never)
      .toArray(),
  first: ({ acme }) => acme.query().first(),
  count: ({ acme }) => scan(acme).count(),
  forEach: ({ acme }) => scan(acme).forEach(async () => {}),
  page: async ({ acme, token, learn }) => learn((await scan(acme).page({ size: 1, token })).next),
  byPage: async ({ acme, token, learn }) => {
    const pages = scan(acme).pageSize(1).byPage({ continuationToken: token })
    for await (const { continuationToken } of pages) learn(continuationToken)
  },
  'page by an index': async ({ acme, token, learn, stored }) => {
    const { region } = stored
    learn((await acme.query().where({ region, tag: 'x' }).page({ size: 1, token })).next)
  },
  'deleteAll of a query': ({ acme, entity }) => scan(acme).where({ size: entity.size }).deleteAll(),
  'deleteAll of a tenant': ({ acme, stored }) =>
    scan(acme).where({ tenant: stored.tenant }).deleteAll(),
  deleteAll: ({ acme, stored }) => (stored.no === 1 ? acme.deleteAll() : undefined),
  deletePartition: ({ acme, pair }) => acme.deletePartition(pair[0]),
  copyTo: ({ acme, account }) => acme.copyTo(account.table('copies')),
  'copyTo of a query': ({ acme, account }) => scan(acme).copyTo(account.table('copies')),
  'copyTo into the tenant': ({ acme, account }) =>
    account
      .table('source')
      .query()
      .allowTableScan()
      .copyTo(acme as never),
  drop: ({ acme }) => acme.drop(),
  dropIfExists: ({ acme }) => acme.dropIfExists(),
  createIfNotExists: ({ acme }) => acme.createIfNotExists(),
  accessPolicies: async ({ acme }) => acme.accessPolicies.set([]),
  within: async ({ acme, stored }) => acme.within({ tenant: stored.tenant }).query().count(),
  sweepMarkers: ({ acme }) => acme.sweepMarkers(),
  'restore of a row': ({ acme, pair }) => lifetimeOf(acme).restore(pair),
  'erase of a row': ({ acme, stored }) => lifetimeOf(acme).erase(stored, { etag: '*' }),
  sweep: ({ acme }) => lifetimeOf(acme).sweep(),
  'sweep of a partition': ({ acme, pair }) => lifetimeOf(acme).sweep({ partitionKey: pair[0] }),
  'all rows': ({ acme }) => scan(lifetimeOf(acme).all).toArray(),
  'all rows of a query': ({ acme, stored }) =>
    scan(lifetimeOf(acme).all).where({ tenant: stored.tenant }).deleteAll(),
  'merge of any row': ({ acme, stored }) => lifetimeOf(acme).all.merge(edited(stored)),
  'drop of all rows': ({ acme }) => lifetimeOf(acme).all.drop(),
  'deletePartition of all rows': ({ acme, pair }) => lifetimeOf(acme).all.deletePartition(pair[0]),
  upgradeTable: ({ acme }) => upgradeTable(acme),
  'union insert': ({ both, entity }) => both.insert(entity),
  'union merge': ({ both, stored }) => both.merge(edited(stored)),
  'union query': ({ both }) => scan(both).toArray(),
  'union get': ({ both, pair }) => both.get(pair),
  'union deleteAll of a query': ({ both, entity }) =>
    scan(both).where({ tenant: entity.tenant }).deleteAll(),
  'union batch': ({ both, entity, stored }) =>
    both.batch().insertOrReplace(entity).delete(stored).submit(),
}

/** The keys in an address and in JSON. */
const KEYS = [
  /PartitionKey='([^']*)',RowKey='([^']*)'/g,
  /"PartitionKey":"([^"]*)"[^{}]*?"RowKey":"([^"]*)"/g,
]

/** The keys that requests and responses show, also those in change sets. The keys of these tenants have no percent sign. */
function keysIn(texts: readonly unknown[]): readonly (readonly [string, string])[] {
  const text = texts.map((each) => decoded(String(each ?? ''))).join('\n')
  return KEYS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, partition = '', row = '']) => [partition, row] as const),
  )
}

function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent)
}

/** The keys of what is in other partitions and tables for a row of the tenant: an entry of an index, a marker of its exact write, an image, a holder of a copy. */
const ELSEWHERE = [
  / (?:.*~)?acme_(?:eu|us)_\d\d$/,
  /^(?:t_[xy]|\d{3}) ~rk~op~/,
  /^[a-z0-9]+=2Fnotes=2Facme=2(?:F|53B)/,
  /^acme l_/,
]

/** Tells whether a row belongs to the tenant, or says what all programs declare. */
function isInside([partitionKey, rowKey]: readonly [string, string], isWhole: boolean): boolean {
  if (partitionKey === '~rk~') return rowKey.startsWith('~rk~cat~')
  const isOwn = isWhole ? partitionKey === 'acme' : partitionKey.startsWith('acme;')
  return isOwn || ELSEWHERE.some((form) => form.test(`${partitionKey} ${rowKey}`))
}

/** One service has the rows of so many calls. */
const CALLS_IN_A_WORLD = 400

/** A service with rows of four tenants. The names of three begin with the same letters. */
class Tenants {
  readonly #random: (below: number) => number
  readonly #isWhole: boolean
  readonly #declared: ReturnType<typeof defineNote>
  readonly #wrong: string[] = []
  readonly #service: Transport
  readonly #account: Account
  readonly #plain: Account
  readonly #whole: Notes
  readonly #acme: Notes
  readonly #both: Notes
  readonly #own: OwnReads
  readonly #images: LargeValueTable<Note, Note, object>
  #now = START
  #call: string | undefined
  #tokens: (string | undefined)[] = [undefined]
  #known: Note[] = []

  constructor(seed: number) {
    this.#random = randomOf(seed)
    this.#isWhole = seed % 2 === 0
    const isExact = this.#random(3) === 0
    const isMortal = seed % 3 > 0
    const now = () => this.#now
    const { transport, connectionString } = localTableService({ now })
    this.#service = transport
    let ids = 0
    const open = (through: Transport) =>
      new Account(
        tableService({
          connectionString: connectionString(),
          transport: through,
          retry: noRetry,
          exactWrites: isExact,
          now,
          random: () => this.#random(100) / 100,
          newId: () => `id${String(++ids).padStart(8, '0')}`,
          sleep: async (ms) => {
            this.#now += ms
          },
        }),
      )
    this.#account = open(this.#watched)
    this.#plain = open(transport)
    const declared = defineNote(this.#isWhole, isMortal)
    const { Model } = declared
    this.#declared = declared
    this.#whole = this.#plain.table(Model) as unknown as Notes
    const restricted = this.#account.table(Model) as unknown as Notes
    this.#acme = restricted.within({ tenant: 'acme' }) as unknown as Notes
    const acme = this.#acme as never
    this.#images = declared.images.on(acme) as never
    const own = { indexes: declared.indexes.on(acme), sums: declared.sums.on(acme) }
    this.#own = own as unknown as OwnReads
    // A union has no types with a lifetime.
    this.#both = isMortal ? this.#acme : this.#union(Model)
  }

  #union(Model: object): Notes {
    const Other = defineEntity({
      name: 'notes',
      partitionKey: this.#isWhole ? key`${'tenant'}` : key`${'tenant'};${'region'}`,
      rowKey: key`o_${'no:2'}`,
      schema: z.object({ tenant: z.string(), region: z.string(), no: z.int(), size: z.int() }),
    })
    const both = this.#account.table('notes', union(Model as typeof Other, Other))
    return both.within({ tenant: 'acme' }) as unknown as Notes
  }

  /** Notes what is outside of the tenant in the requests and the responses of the call that is made. */
  #watched: Transport = async (request, limits) => {
    const response = await this.#service(request, limits)
    if (this.#call === undefined) return response
    const { method, path, query, body } = request
    for (const found of keysIn([path, query, body, response.body])) {
      if (isInside(found, this.#isWhole)) continue
      this.#wrong.push(`${this.#call}: ${method} ${path} shows ${found.join(' ')}`)
    }
    return response
  }

  /** Makes some calls, each with random arguments. */
  async play(most: number): Promise<RaceResult> {
    const calls = Math.min(most, CALLS_IN_A_WORLD)
    await this.#seed()
    const others = await this.#others()
    const names = Object.keys(CALLS)
    const endings = new Map<string, number>()
    for (let done = 0; done < calls && this.#wrong.length === 0; done++) {
      const name = names[this.#random(names.length)] as string
      if (done % 40 === 0) this.#known = await scan(this.#whole).toArray()
      this.#call = name
      const ending = await this.#make(CALLS[name] as Call)
      this.#call = undefined
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
      this.#now += this.#random(3)
      if (done % 50 === 0 || done === calls - 1) this.#compare(others, await this.#others(), name)
    }
    return { done: calls, wrong: this.#wrong, endings }
  }

  /** Makes a call, and tells how it ended. A mistake of the library is wrong, whatever it does. */
  async #make(call: Call): Promise<string> {
    try {
      await call(this.#given())
      return 'made'
    } catch (error) {
      if (isRowkeyError(error)) return String((error as { code: unknown }).code)
      const isAborted = error instanceof Error && error.name === 'AbortError'
      if (!isAborted) this.#wrong.push(`${this.#call} threw ${String(error)}`)
      return 'broken'
    }
  }

  #given(): Given {
    const one = <Item>(items: readonly Item[]): Item => items[this.#random(items.length)] as Item
    const tenant = one([...TENANTS, 'acme', 'acme', undefined, undefined, undefined])
    const region = one(['eu', 'us'])
    const no = 1 + this.#random(3)
    const rest = {
      region,
      no,
      size: this.#random(4),
      tag: one(['x', 'y', undefined]),
      code: one(['c1', 'c2', 'c3', undefined]),
      ends: one([undefined, undefined, new Date(this.#now - 1), new Date(this.#now + 50)]),
    }
    const entity = { ...(tenant === undefined ? {} : { tenant }), ...rest } as Note
    const named = one([...TENANTS, 'acme'])
    const number = `n_${this.#isWhole ? `${region};` : ''}0${no}`
    const rowKey = one([number, number, number, '~rk~x', 'zz'])
    const options = one([
      {},
      {},
      { exactWrites: true },
      { exactWrites: false },
      { idempotencyKey: `key${this.#random(20)}` },
      { deadline: 1_000 },
    ])
    return {
      acme: this.#acme,
      whole: this.#whole,
      both: this.#both,
      own: this.#own,
      images: this.#images,
      account: this.#account,
      entity,
      stored: this.#known.length === 0 ? entity : one(this.#known),
      pair: [this.#isWhole ? named : `${named};${region}`, rowKey],
      token: one(this.#tokens),
      options,
      learn: (token) => {
        this.#tokens = [undefined, token, ...this.#tokens.slice(0, 6)]
      },
    }
  }

  async #seed(): Promise<void> {
    await this.#whole.create()
    for (const name of ['sizes', 'images', 'labels', 'copies', 'source']) {
      await this.#plain.createTable(name)
    }
    const images = this.#declared.images.on(this.#plain)
    for (const tenant of TENANTS) {
      await this.#plain.table(this.#declared.Label).insert({ tenant, no: 1, tag: 'x' })
      for (const region of ['eu', 'us']) {
        const code = region === 'eu' ? 'c1' : 'c2'
        const note = { tenant, region, no: 1, size: 1, tag: 'x', code }
        await images.save((await this.#whole.insert(note)) as never, new Uint8Array(3))
        const partitionKey = this.#isWhole ? tenant : `${tenant};${region}`
        const rowKey = this.#isWhole ? `n_${region};03` : 'n_03'
        const source = { region, no: 3, size: 1 }
        await this.#plain.table('source').insert(new DynamicEntity(partitionKey, rowKey, source))
      }
    }
    const page = await scan(this.#whole).page({ size: 1 })
    this.#tokens.push(page.next)
  }

  /** All rows that are not of the tenant, as they are stored. */
  async #others(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for (const table of ['notes', 'sizes', 'images', 'labels', 'copies']) {
      const rows = this.#plain.table(table).query().allowTableScan()
      for await (const row of rows.rows()) {
        const { partitionKey, rowKey } = row
        if (partitionKey.startsWith('~rk~') || isInside([partitionKey, rowKey], this.#isWhole))
          continue
        found.set(
          `${table} ${partitionKey} ${rowKey}`,
          `${row.etag} ${row.timestamp?.toISOString()}`,
        )
      }
    }
    return found
  }

  #compare(
    before: ReadonlyMap<string, string>,
    after: ReadonlyMap<string, string>,
    name: string,
  ): void {
    for (const place of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(place) !== after.get(place)) {
        this.#wrong.push(`${name}, or a call before it, changed ${place}`)
      }
    }
  }
}

/**
 * Makes random calls of a table that is restricted to one tenant: any method, with keys, entities and tokens of any tenant. The model has
 * indexes, sums, an outbox, large values, copies and a lifetime.
 *
 * @returns what showed or changed a row of another tenant
 */
export function playTenantCalls(seed: number, calls: number): Promise<RaceResult> {
  return new Tenants(seed).play(calls)
}
