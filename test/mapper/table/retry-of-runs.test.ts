import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, upgradeTable } from '@rowkey/mapper'
import { noRetry, type Transport, TransportError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const Person = defineEntity({
  name: 'people',
  partitionKey: key`${'city'}`,
  rowKey: key`${'name'}`,
  schema: z.object({ city: z.string(), name: z.string(), age: z.number().optional() }),
})

interface Tables {
  readonly account: Account
  readonly people: ReturnType<typeof peopleOf>
}

const peopleOf = (account: Account) => account.table(Person)

/** An account whose transport dies at a moment, for writes or for all requests, with the waits since. */
async function dying(forReads: boolean) {
  const local = localTableService()
  let isDead = false
  const waits: number[] = []
  const sent: string[] = []
  const transport: Transport = (request, limits) => {
    const mayHaveApplied = request.method !== 'GET'
    if (!isDead || !(forReads || mayHaveApplied)) return local.transport(request, limits)
    sent.push(`${request.method} ${request.path} ${request.query} ${request.body}`)
    throw new TransportError({ message: 'The socket is dead.', mayHaveApplied })
  }
  const service = tableService({
    connectionString: local.connectionString(),
    transport,
    sleep: async (delay) => {
      waits.push(delay)
      await new Promise(setImmediate)
    },
  })
  const account = new Account(service)
  const people = peopleOf(account)
  await people.create()
  await people.bulk().insert([...Array(250).keys()].map((n) => ({ city: 'Rome', name: `n${n}` })))
  const die = () => {
    isDead = true
  }
  return { account, people, waits, sent, die, local }
}

const call = { retry: noRetry } as const
const n1 = ['Rome', 'n1'] as const
const ann = { city: 'Rome', name: 'Ann' }

/** Every call of a table or an account that sends several requests. */
const runs: Readonly<Record<string, (tables: Tables) => PromiseLike<unknown>>> = {
  'pages of a query': ({ people }) => people.query().where({ city: 'Rome' }).toArray(call),
  'a parallel query': ({ people }) => people.query().inPartitions(['Rome', 'Oslo']).toArray(call),
  count: ({ people }) => people.query().where({ city: 'Rome' }).count(call),
  getMany: ({ people }) => people.getMany([n1, ['Rome', 'n2']], call),
  modify: ({ people }) =>
    people.modify(
      n1,
      (each) => {
        each.age = 5
      },
      call,
    ),
  insert: ({ people }) => people.insert(ann, { ...call, exactWrites: true }),
  deleteIfExists: ({ people }) => people.deleteIfExists(n1, { ...call, etag: '*' }),
  batch: ({ people }) =>
    people
      .batch()
      .insert(ann)
      .submit({ ...call, exactWrites: true }),
  bulk: ({ people }) => people.bulk(call).insertOrReplace([ann]),
  deleteAll: ({ people }) => people.query().where({ city: 'Rome' }).deleteAll(call),
  deletePartition: ({ people }) => people.deletePartition('Rome', call),
  copyTo: ({ people, account }) => people.copyTo(account.table('copies'), call),
  upgradeTable: ({ people }) => upgradeTable(people, call),
  sweepMarkers: ({ people }) => people.sweepMarkers(call),
  exists: ({ people }) => people.exists(call),
  create: ({ people }) => people.create({ ...call, waitForDeletion: true }),
  'a list of tables': async ({ account }) => {
    for await (const _ of account.tables(call));
  },
}

describe('a policy that never retries', () => {
  const cases = Object.entries(runs).flatMap(([name, run]) => [
    [name, 'requests', run, true] as const,
    [name, 'writes', run, false] as const,
  ])

  it.each(cases)('holds for each request of %s when %s fail', async (_, what, run, forReads) => {
    const { account, people, waits, sent, die } = await dying(forReads)
    waits.length = 0
    die()
    const error = await run({ account, people }).then(
      () => undefined,
      (thrown: unknown) => thrown ?? null,
    )
    if (what === 'requests') expect(error).toBeInstanceOf(Error)
    // A bulk writer waits 5 ms for more input.
    expect(waits.filter((wait) => wait > 5)).toEqual([])
    expect(new Set(sent).size).toBe(sent.length)
  })
})
