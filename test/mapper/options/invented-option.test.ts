import { localTableService } from '@rowkey/local'
import {
  Account,
  defineEntity,
  key,
  lifetime,
  lifetimeOf,
  Operation,
  upgradeTable,
} from '@rowkey/mapper'
import { type CallOptions, type Transport, TransportError, tableService } from '@rowkey/rest'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { seeingOptions } from '../../rest/invented-option.ts'

// An option that no code knows: every call takes it, and nothing can copy it by its name.
vi.mock('../../../packages/rest/src/call/call-options.ts', async (original) => {
  const { anything, declareOptions } = await import('@rowkey/odata')
  const { callOptions } = await original<{ readonly callOptions: { readonly rules: object } }>()
  return { callOptions: declareOptions({ ...callOptions.rules, invented: anything }) }
})

const schema = z.object({
  city: z.string(),
  name: z.string(),
  age: z.int().optional(),
  until: z.date().optional(),
  gone: z.date().optional(),
})
const at = { partitionKey: key`${'city'}`, rowKey: key`${'name'}` }
const mortal = lifetime({ expiresAt: 'until', deletedAt: 'gone' })
const Person = defineEntity({ name: 'people', ...at, schema })
const Newer = defineEntity({
  name: 'people',
  ...at,
  schema: schema.extend({ shoes: z.int() }),
  version: 2,
  previous: Person,
  migrate: (person) => ({ ...person, shoes: 0 }),
})
const Note = defineEntity({ name: 'notes', ...at, schema, lifetime: mortal })

/** Three tables on a network that loses the first response to each write. */
async function losingTables() {
  const local = localTableService()
  const [lost, isLosing] = [new Set<string>(), { now: false }]
  const transport: Transport = async (request, limits) => {
    const response = await local.transport(request, limits)
    const name = `${request.method} ${request.path} ${request.body}`
    if (!isLosing.now || request.method === 'GET' || lost.has(name)) return response
    lost.add(name)
    throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
  }
  const connectionString = local.connectionString()
  const { service, seen } = seeingOptions(
    tableService({ connectionString, transport, sleep: async () => {} }),
  )
  const account = new Account(service)
  const [people, newer, notes] = [account.table(Person), account.table(Newer), account.table(Note)]
  await people.create()
  await notes.create()
  await account.createTable('copies')
  for (const name of ['a', 'b']) await people.insert({ city: 'Rome', name })
  await notes.insert({ city: 'Rome', name: 'old', until: new Date(0) })
  await notes.insert({ city: 'Rome', name: 'new' })
  seen.length = 0
  isLosing.now = true
  return { account, people, newer, notes, seen }
}

type Tables = Awaited<ReturnType<typeof losingTables>>

const [a, ann] = [['Rome', 'a'] as const, { city: 'Rome', name: 'ann' }]
const older = (each: { age?: number | undefined }): void => {
  each.age = 5
}

/** A call of every method that sends. */
const calls: Readonly<Record<string, (tables: Tables, call: CallOptions) => unknown>> = {
  insert: ({ people }, call) => people.insert(ann, call),
  'an exact insert': ({ people }, call) => people.insert(ann, { ...call, exactWrites: true }),
  'an insert over an expired row': ({ notes }, call) =>
    notes.insert({ city: 'Rome', name: 'old' }, call).catch(() => {}),
  get: ({ people }, call) => people.get(a, call),
  find: ({ newer }, call) => newer.find(a, call),
  exists: ({ people }, call) => people.exists(a, call),
  'exists of a table': ({ people }, call) => people.exists(call),
  getMany: ({ people }, call) => people.getMany([a, ['Rome', 'b']], call),
  merge: async ({ people, seen }, call) => {
    const read = await people.get(a)
    seen.length = 0
    read.age = 7
    // An equal write of another program looks the same.
    await people.merge(read, call).catch((error) => error.resolve())
  },
  replace: ({ people }, call) => people.replace(ann, { ...call, etag: '*' }).catch(() => {}),
  insertOrMerge: ({ people }, call) => people.insertOrMerge(ann, call),
  insertOrReplace: ({ newer }, call) => newer.insertOrReplace({ ...ann, shoes: 2 }, call),
  delete: ({ people }, call) => people.delete(a, { ...call, etag: '*' }),
  deleteIfExists: ({ people }, call) => people.deleteIfExists(a, { ...call, etag: '*' }),
  modify: ({ people }, call) => people.modify(a, older, call).catch(() => {}),
  'modify of an older version': ({ newer }, call) => newer.modify(a, older, call).catch(() => {}),
  reload: async ({ people, seen }, call) => {
    const read = await people.get(a)
    seen.length = 0
    await people.reload(read, call)
  },
  execute: ({ people }, call) => people.execute(Operation.insertOrMerge(ann), call),
  batch: ({ people }, call) => people.batch().insert(ann).submit(call),
  bulk: ({ people }, call) => people.bulk(call).insertOrReplace([ann]),
  'bulk with conflicts': ({ people }, call) =>
    people
      .bulk({ ...call, onConflict: 'skip' })
      .insert([{ city: 'Rome', name: 'a' }, ann])
      .summary(),
  buffered: async ({ people }, call) => {
    const writer = people.buffered(call)
    await writer.insertOrReplace(ann)
    await writer.close()
  },
  'a query': ({ people }, call) => people.query().where({ city: 'Rome' }).toArray(call),
  'a query of several keys': ({ people }, call) =>
    people
      .query()
      .where((p) => p.city.eq('Rome').and(p.name.in(['a', 'b'])))
      .toArray(call),
  'a query of several partitions': ({ people }, call) =>
    people.query().inPartitions(['Rome', 'Oslo']).toArray(call),
  count: ({ notes }, call) => notes.query().where({ city: 'Rome' }).count(call),
  deleteAll: ({ people }, call) => people.query().where({ city: 'Rome' }).deleteAll(call),
  deletePartition: ({ people }, call) => people.deletePartition('Rome', call),
  copyTo: ({ people, account }, call) => people.copyTo(account.table('copies'), call),
  upgradeTable: ({ newer }, call) => upgradeTable(newer, call),
  sweepMarkers: ({ people }, call) => people.sweepMarkers(call),
  'sweep of expired rows': ({ notes }, call) => lifetimeOf(notes).sweep(call),
  restore: ({ notes }, call) =>
    lifetimeOf(notes)
      .restore(['Rome', 'new'], call)
      .catch(() => {}),
  create: ({ people }, call) => people.createIfNotExists(call),
  drop: ({ people }, call) => people.drop(call),
  'access policies': ({ people }, call) => people.accessPolicies.revoke('none', call),
  'a list of tables': async ({ account }, call) => {
    for await (const _ of account.tables(call));
  },
  'createTable of an account': ({ account }, call) => account.createTable('others', call),
  'deleteTable of an account': ({ account }, call) => account.deleteTable('copies', call),
  properties: ({ account }, call) => account.properties.get(call),
}

it.each(Object.entries(calls))('%s gives an invented option to each request', async (_, run) => {
  const tables = await losingTables()
  const invented: object = { invented: 'yes' }
  await run(tables, invented)
  expect(tables.seen).not.toEqual([])
  expect(tables.seen.filter((each) => !each.endsWith(': yes'))).toEqual([])
})
